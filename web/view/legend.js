import { handy } from '../text/quantity.js';

/**
 * What colours mean: a scale from `least` (0 by default) to `most` (SI units), or single colours.
 * @typedef {{label: string, unit: string, least?: number, most: number, stops: {at: number, colour: string}[]}} Bar
 * @typedef {{label: string, swatches: {colour: string, text: string}[]}} Swatches
 * @typedef {Bar|Swatches} Legend
 */

/**
 * Draws what colours mean into the lower left of a picture, one above the other.
 * @param {CanvasRenderingContext2D} context
 * @param {Legend[]} legends
 * @param {'dark'|'light'} theme
 */
export function drawLegends(context, legends, theme) {
  const { width, height } = context.canvas;
  const unit = Math.max(Math.min(width, height) / 720, 0.4); // one pixel of a picture of usual size
  const ink = theme === 'dark' ? '#e8edf2' : '#1d2730';
  let bottom = height - 44 * unit;
  if (legends.length > 1) {
    // Several reach far up, over what is drawn there.
    const tall = 62 * unit * legends.length;
    context.fillStyle = theme === 'dark' ? 'rgba(16, 22, 28, 0.7)' : 'rgba(255, 255, 255, 0.75)';
    context.beginPath();
    context.roundRect(14 * unit, height - tall - 14 * unit, 300 * unit, tall, 10 * unit);
    context.fill();
  }
  for (const legend of [...legends].reverse()) {
    if (legend.swatches) drawSwatches(context, legend, unit, ink, bottom);
    else drawBar(context, legend, unit, ink, bottom);
    bottom -= 62 * unit;
  }
}

function write(context, text, x, y, font, align = 'left') {
  context.font = font;
  context.textBaseline = 'alphabetic';
  context.textAlign = align;
  context.fillText(text, x, y);
}

function drawBar(context, { label, unit: si, least = 0, most, stops }, unit, ink, bottom) {
  const [left, length, thickness] = [28 * unit, 240 * unit, 10 * unit];
  const shown = handy(si, most);
  const gradient = context.createLinearGradient(left, 0, left + length, 0);
  for (const { at, colour } of stops) gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.beginPath();
  context.roundRect(left, bottom - thickness, length, thickness, 0.3 * thickness);
  context.fill();
  context.fillStyle = ink;
  const title = `600 ${14 * unit}px system-ui, sans-serif`;
  write(context, shown.unit ? `${label}, ${shown.unit}` : label, left, bottom - thickness - 8 * unit, title);
  for (let k = 0; k <= 2; ++k) {
    const value = (least + ((most - least) * k) / 2) * shown.factor;
    const text = String(Number(value.toPrecision(3))).replace('-', '−');
    const font = `${13 * unit}px system-ui, sans-serif`;
    write(context, text, left + (length * k) / 2, bottom + 17 * unit, font, ['left', 'center', 'right'][k]);
  }
}

function drawSwatches(context, { label, swatches }, unit, ink, bottom) {
  const radius = 5 * unit;
  let x = 28 * unit;
  context.fillStyle = ink;
  write(context, label, x, bottom - 6 * unit, `600 ${14 * unit}px system-ui, sans-serif`);
  for (const { colour, text } of swatches) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x + radius, bottom + 11 * unit, radius, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = ink;
    write(context, text, x + 2.8 * radius, bottom + 15.5 * unit, `${13 * unit}px system-ui, sans-serif`);
    x += 2.8 * radius + context.measureText(text).width + 14 * unit;
  }
}
