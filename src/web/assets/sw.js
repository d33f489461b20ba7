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

/** The words of the page, as it left them. */
async function wordsOfPage() {
  const kept = await (await caches.open(SHELL)).match("/words.json");
  return kept ? kept.json() : { lang: "en", kinds: {}, table: "Table ", hall: "Flagfall" };
}

// A call from the hub while no page is open: the sentence is English, the heading is not.
self.addEventListener("push", (event) => event.waitUntil((async () => {
  const { id, kind, table, text } = event.data.json();
  const words = await wordsOfPage();
  const place = table === null ? words.hall : `${words.table}${table}`;
  await self.registration.showNotification(`${place}: ${words.kinds[kind] ?? kind}`, {
    body: words.lang === "en" ? text : "", tag: `alert-${id}`, lang: words.lang, icon: "/assets/icon.svg",
    vibrate: [220, 90, 220], requireInteraction: true, renotify: true,
  });
})()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const page = pages.find(({ url }) => new URL(url).pathname === "/console");
    await (page ? page.focus() : self.clients.openWindow("/console"));
  })());
});
