// Announcements aloud: a gong, then the organiser's own file, else the hub's voice, else nothing more.

/** A struck bell: partials with their loudness and how long they ring, seconds. */
const PARTIALS = [[1, 0.5, 3.2], [2.01, 0.3, 2.2], [2.74, 0.22, 1.6], [3.76, 0.12, 1.1], [5.4, 0.07, 0.7]];
const STRIKES = { "five-minutes": [392], "one-minute": [392, 494], zero: [392, 494, 587], "photo-over": [494], "play-off-over": [587, 392], check: [392, 494] };
const GAP_S = 0.9;
const WAIT_MS = 500;

export class Sound {
  #audio = null;
  #files = null;
  #queue = Promise.resolve();
  on = false;
  muted = false;
  /** What was played, newest last; the tests read it. */
  played = [];

  #context() {
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") this.#audio.resume().catch(() => {});
    return this.#audio;
  }

  /** What the hub is told: `off`, `on`, `muted`, or `blocked` where the browser lets nothing sound. */
  get state() {
    if (!this.on) return "off";
    if (this.muted) return "muted";
    return this.#context().state === "running" ? "on" : "blocked";
  }

  mute() {
    this.muted = !this.muted;
  }

  /** Browsers are silent until somebody has touched the page; a kiosk is started with leave to sound. */
  touch() {
    if (this.on) this.#context();
  }

  /** Says a mark in the languages of the screen. */
  announce(mark, langs) {
    if (!this.on || this.muted) return;
    this.played = [...this.played.slice(-19), mark];
    this.#queue = this.#queue.then(() => this.#say(mark, langs)).catch(() => {});
  }

  async #say(mark, langs) {
    const audio = this.#context();
    if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, WAIT_MS))]).catch(() => {});
    // What was not let sound now must not sound all at once when somebody touches the page.
    if (audio.state !== "running") return;
    const pitches = STRIKES[mark] ?? STRIKES.check;
    const start = audio.currentTime + 0.05;
    pitches.forEach((pitch, i) => this.#strike(audio, pitch, start + i * GAP_S));
    await new Promise((done) => setTimeout(done, (pitches.length * GAP_S + 0.8) * 1000));
    for (const lang of langs) {
      const data = await this.#voice(mark, lang);
      if (data) await this.#play(audio, data);
    }
  }

  #strike(audio, pitch, at) {
    for (const [ratio, loud, ring] of PARTIALS) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.frequency.value = pitch * ratio;
      gain.gain.setValueAtTime(0.0001, at);
      gain.gain.exponentialRampToValueAtTime(loud * 0.6, at + 0.012);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + ring);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + ring);
    }
  }

  /** The sound of a mark: `one-minute.uk.mp3` before `one-minute.mp3` before what the hub speaks. */
  async #voice(mark, lang) {
    const spoken = mark === "check" ? "one-minute" : mark;
    this.#files ??= await fetch("/api/v1/screen/sounds").then((answer) => answer.json()).catch(() => []);
    const file = this.#files.find((name) => name.startsWith(`${spoken}.${lang}.`))
      ?? this.#files.find((name) => name.startsWith(`${spoken}.`) && name.split(".").length === 2);
    const path = file ? `/api/v1/screen/sounds/${file}` : `/api/v1/screen/speech/${spoken}?lang=${lang}`;
    const answer = await fetch(path, { signal: AbortSignal.timeout(25_000) }).catch(() => null);
    return answer?.ok ? answer.arrayBuffer() : null;
  }

  async #play(audio, data) {
    const source = audio.createBufferSource();
    source.buffer = await audio.decodeAudioData(data);
    source.connect(audio.destination);
    await new Promise((done) => {
      source.onended = done;
      source.start();
      // A context that nobody has let sound never ends anything.
      setTimeout(done, source.buffer.duration * 1000 + 500);
    });
  }
}

/** A start that is moved, or a screen that was asleep, passes no mark. */
const JUMP_MS = 5000;

/** The marks that were passed between two looks at the time that is left, on a line of that speed. */
export function passed(before, left, rate = 1) {
  if (before === null || left === null || before - left > JUMP_MS * rate || before <= left) return [];
  const marks = [[300_000, "five-minutes"], [60_000, "one-minute"], [0, "zero"]];
  return marks.filter(([at]) => before > at && left <= at).map(([, mark]) => mark);
}
