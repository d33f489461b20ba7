// Lets the console open in a gap of the network: what the hub served last is kept, and asked for anew each
// time. Nothing of the hall itself is kept here; the API and its streams are left alone.

const SHELL = "flagfall-shell";
const KEEP = /^\/(console|assets\/.*)$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !KEEP.test(pathname)) return;
  event.respondWith(serve(event.request));
});

async function serve(request) {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shell.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await shell.match(request);
    if (kept) return kept;
    throw error;
  }
}
