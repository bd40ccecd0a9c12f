const prefixes = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G'];
const prefixed = new Set(['m', 'N', 'Pa', 'J', 's', 'Hz']); // units that a prefix suits

/**
 * The unit in which a quantity of such a magnitude is handy.
 * @param {string} unit SI
 * @param {number} magnitude in that unit
 * @returns {{unit: string, factor: number}} what is shown is the SI value times the factor
 */
export function handy(unit, magnitude) {
  const size = Math.abs(magnitude);
  if (!prefixed.has(unit) || !(size > 0)) return { unit, factor: 1 };
  const step = Math.max(-4, Math.min(3, Math.floor(Math.log10(size) / 3 + 1e-9)));
  return { unit: prefixes[step + 4] + unit, factor: 1000 ** -step };
}

/** A number with so many digits, whose width does not change while it lives: 9.80, 12.3, 1,234. */
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text =
    size >= 10 ** digits ? Math.round(size).toLocaleString('en') : size < 1e-9 ? '0' : size.toPrecision(digits);
  return value < 0 && size >= 1e-9 ? `−${text}` : text;
}

/** How many decimals show three digits of a magnitude. */
export function decimals(magnitude) {
  return magnitude > 0 ? Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(magnitude) + 1e-9))) : 0;
}

/** With so many decimals, and never "-0.00". */
export function fixed(value, places) {
  const text = Math.abs(value).toFixed(places);
  return value < 0 && +text !== 0 ? `−${text}` : text;
}

/** "3.28 mm" of 0.00328 m. */
export function quantity(value, unit, digits = 3) {
  const shown = handy(unit, value);
  return `${number(value * shown.factor, digits)} ${shown.unit}`.trim();
}

/** Seconds as a clock shows them: "7.25 s", "1:02.50". */
export function clock(seconds) {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths - minutes * 6000) / 100).toFixed(2);
  return minutes ? `${minutes}:${rest.padStart(5, '0')}` : `${rest} s`;
}

/** The least of 1, 2, 5, 10, 20, ... that is not less: axes that end there seldom jump. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((digit) => digit * power >= value * (1 - 1e-9)) ?? 10);
}
