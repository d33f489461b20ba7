// Whether a screen is large enough for a hall: digits of 1/150 of the distance are read at a glance, of
// 1/200 at the least.

const INCH_CM = 2.54;
const GOOD = 150;
const LEAST = 200;

/** The height of the digits of `mm:ss`, in cm, on a screen of so many inches and that shape. */
export function digitHeight(inches, width = 16, height = 9) {
  const unit = (inches * INCH_CM) / Math.hypot(width, height);
  // As the page draws them: 60 % of the height, or all that fits into the width.
  return Math.min(0.6 * height * unit, (0.92 * width * unit) / 2.66);
}

const metres = (cm) => Math.floor(cm / 100);

/**
 * The answer: `good`, `just` or `small`, the height of the digits in cm, to how many metres they are good and
 * can be read, and how many inches would be large enough; null until both are known.
 */
export function enough(distance, inches, width, height) {
  if (!(distance > 0) || !(inches > 0)) return null;
  const digits = digitHeight(inches, width || 16, height || 9);
  const [good, least] = [metres(digits * GOOD), metres(digits * LEAST)];
  const needed = Math.ceil((inches * distance) / (digits * GOOD / 100));
  const verdict = distance <= good ? "good" : distance <= least ? "just" : "small";
  return { verdict, digits: Math.round(digits), good, least, needed };
}
