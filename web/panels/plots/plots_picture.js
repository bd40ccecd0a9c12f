import { theme } from '../widgets/theme.js';

/**
 * The plots below each other as they are drawn now, with their titles.
 * @param {string} title
 * @param {[string, string][]} legend names and colours of the style sheet
 * @param {import('./plot.js').Plot[]} plots
 * @returns {Promise<Blob>} PNG
 */
export function plotsPicture(title, legend, plots) {
  const drawn = plots.filter((plot) => plot.picture);
  const line = Math.round(20 * devicePixelRatio);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(line, ...drawn.map((plot) => plot.picture.width)) + line;
  const lines = 1 + (legend.length > 0 ? 1 : 0) + drawn.length;
  canvas.height = drawn.reduce((sum, plot) => sum + plot.picture.height, 0) + (lines + 1) * line;
  const context = canvas.getContext('2d');
  context.fillStyle = theme.colour('--card');
  context.fillRect(0, 0, canvas.width, canvas.height);
  let y = 0.5 * line;
  const write = (text, x, weight, colour) => {
    context.font = `${weight} ${0.65 * line}px ${getComputedStyle(document.body).fontFamily}`;
    context.fillStyle = theme.colour(colour);
    context.textBaseline = 'middle';
    context.fillText(text, x, y + 0.5 * line);
    return x + context.measureText(text).width + line;
  };
  write(title, 0.5 * line, 640, '--ink');
  y += line;
  if (legend.length > 0) {
    legend.reduce((x, [name, colour]) => write(name, x, 400, colour), 0.5 * line);
    y += line;
  }
  for (const plot of drawn) {
    write(plot.label, 0.5 * line, 400, '--soft');
    y += line;
    context.drawImage(plot.picture, 0, y);
    y += plot.picture.height;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be written'))), 'image/png');
  });
}
