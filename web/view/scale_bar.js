import { handy } from '../panels/quantity.js';

/**
 * Draws the scale of colours into the lower left of a picture.
 * @param {CanvasRenderingContext2D} context
 * @param {{label: string, unit: string, most: number, stops: {at: number, colour: string}[]}} scale
 * @param {'dark'|'light'} theme
 */
export function drawScaleBar(context, scale, theme) {
  const { width, height } = context.canvas;
  const unit = Math.max(Math.min(width, height) / 720, 0.4); // one pixel of a picture of usual size
  const [left, bottom, length, thickness] = [28 * unit, height - 44 * unit, 240 * unit, 10 * unit];
  const ink = theme === 'dark' ? '#e8edf2' : '#1d2730';
  const shown = handy(scale.unit, scale.most);
  const gradient = context.createLinearGradient(left, 0, left + length, 0);
  for (const { at, colour } of scale.stops) gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.beginPath();
  context.roundRect(left, bottom - thickness, length, thickness, 0.3 * thickness);
  context.fill();
  context.fillStyle = ink;
  context.font = `600 ${14 * unit}px system-ui, sans-serif`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillText(`${scale.label}, ${shown.unit}`, left, bottom - thickness - 8 * unit);
  context.font = `${13 * unit}px system-ui, sans-serif`;
  for (let k = 0; k <= 2; ++k) {
    context.textAlign = ['left', 'center', 'right'][k];
    const value = (scale.most * shown.factor * k) / 2;
    context.fillText(String(Number(value.toPrecision(3))), left + (length * k) / 2, bottom + 17 * unit);
  }
}
