// Which screen of the hall this browser is: a name of its own making, remembered, and a sign of life.

const BEAT_MS = 5000;
const STORE = "flagfall-screen-key";

/** The screen for which this page stands in, by its address `/screen/3`; else null. */
export const standIn = Number(/^\/screen\/(\d+)/.exec(location.pathname)?.[1]) || null;

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function remembered() {
  try {
    const known = localStorage.getItem(STORE);
    if (/^[a-z0-9-]{8,40}$/i.test(known ?? "")) return known;
    const key = made();
    localStorage.setItem(STORE, key);
    return key;
  } catch {
    // Without storage the screen has another number after it was loaded anew.
    return made();
  }
}

const key = standIn === null ? remembered() : null;

/** What stands behind the `?` of what this screen asks the hub. */
export const asked = standIn === null ? `key=${key}` : `number=${standIn}`;

async function beat(sound) {
  try {
    await fetch("/api/v1/screen/beat", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key, width: Math.round(innerWidth), height: Math.round(innerHeight), sound }),
      signal: AbortSignal.timeout(4000),
    });
  } catch {
    // The hub notices the silence.
  }
}

/**
 * Tells the hub every five seconds that the page lives. A page that nobody sees is silent. `sound()` is what
 * it says of its sound.
 */
export function live(sound) {
  if (key === null) return;
  const tell = () => {
    if (!document.hidden) beat(sound());
  };
  tell();
  setInterval(tell, BEAT_MS);
  document.addEventListener("visibilitychange", tell);
}
