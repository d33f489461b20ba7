// Requests to the hub. An error carries what went wrong and what to do, in words for people.

export class HubError extends Error {
  constructor(status, detail, help) {
    super(sentence(detail));
    this.status = status;
    this.help = sentence(help);
  }
}

/** The hub's words as a sentence. */
function sentence(text) {
  if (!text) return "";
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { cache: "no-store", signal: AbortSignal.timeout(15_000), ...options });
  } catch {
    throw new HubError(0, "The hub did not answer; nothing is known of your command.", "Look at what the page shows once it is connected again.");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new HubError(answer.status, body.detail ?? `error ${answer.status}`, body.help ?? "");
  return body;
}

export const get = (path) => request(path, {});

/** With a `key` the hub carries the command out once, however often it comes. */
export const post = (path, body = {}, { key, keepalive = false } = {}) =>
  request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) },
    body: JSON.stringify(body),
    keepalive,
  });
