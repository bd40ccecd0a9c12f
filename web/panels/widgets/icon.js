/* Drawn on 24 x 24 with strokes of 2; a leading f means that the shape is filled. */
const shapes = {
  pause: ['fM7 5h3.5v14H7zM13.5 5H17v14h-3.5z'],
  play: ['fM7 4.5v15l12-7.5z'],
  step: ['fM6 5v14l9-7z', 'fM16 5h3v14h-3z'],
  steps: ['fM3 6v12l7-6z', 'fM10.5 6v12l7-6z', 'fM18.5 6H21v12h-2.5z'],
  reset: ['M4.5 12a7.5 7.5 0 1 0 2.6-5.7', 'M4 4.5v4.5h4.5'],
  record: ['fM12 5.5a6.5 6.5 0 1 0 .01 0z'],
  stop: ['fM6 6h12v12H6z'],
  list: ['M8 6h12M8 12h12M8 18h12', 'fM3 5h2v2H3zM3 11h2v2H3zM3 17h2v2H3z'],
  gallery: ['M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z'],
  controls: ['M4 7h9M18 7h2M4 17h2M11 17h9', 'M15.5 4.8a2.2 2.2 0 1 0 .01 0zM8.5 14.8a2.2 2.2 0 1 0 .01 0z'],
  plots: ['M4 4v16h16', 'M7.5 15l4-5 3 3 5-7'],
  theme: ['M12 3.5a8.5 8.5 0 1 0 .01 0z', 'fM12 4v16a8 8 0 0 0 0-16z'],
  help: [
    'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4',
    'fM12 16.7a1.2 1.2 0 1 0 .01 0z',
    'M12 2.5a9.5 9.5 0 1 0 .01 0z',
  ],
  camera: ['M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4z', 'M12 10a3.2 3.2 0 1 0 .01 0z'],
  fullscreen: ['M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'],
  close: ['M6 6l12 12M18 6L6 18'],
  follow: ['M13 3H6v18h12V8z', 'M13 3v5h5', 'M9 15a3 3 0 1 0 1-2.6'],
  download: ['M12 4v11', 'M7.5 10.5L12 15l4.5-4.5', 'M4 19.5h16'],
  bin: ['M5 7h14M10 7V4.5h4V7', 'M7 7l1 13h8l1-13'],
  previous: ['M15 5l-7 7 7 7'],
  next: ['M9 5l7 7-7 7'],
  table: ['M4 4h16v16H4zM4 9.5h16M4 14.5h16M9.5 4v16'],
  eye: ['M2.5 12c2.6-4.6 5.8-6.5 9.5-6.5s6.9 1.9 9.5 6.5c-2.6 4.6-5.8 6.5-9.5 6.5S5.1 16.600 2.5 12z', 'M12 9a3 3 0 1 0 .01 0z'],
  hidden: ['M4 15.500c4.500-4 11.500-4 16 0', 'M7 18l-1 2M12 17v2.500M17 18l1 2'],
  sketch: ['M4 20l1.2-4.7L16.5 4l3.5 3.5L8.7 18.8z', 'M14 6.5l3.5 3.5'],
  save: ['M12 4v11M7.5 10.5L12 15l4.5-4.5', 'M4 20h16'],
  copy: ['M9 9h11v11H9z', 'M15 5.5V4H4v11h1.5'],
  undo: ['M8.5 5L4 9.5 8.5 14', 'M4.5 9.5H14a5 5 0 0 1 0 10h-3'],
  push: ['M12 3v9', 'M8.5 8.5L12 12l3.5-3.5', 'M3 13c5 0 5.5 5 9 5s4-5 9-5'],
  pull: ['M12 12V3', 'M8.5 6.5L12 3l3.5 3.5', 'M3 20c5 0 5.5-6 9-6s4 6 9 6'],
  carry: [
    'M12 3v18M3 12h18',
    'M9.5 5.5L12 3l2.5 2.5M9.5 18.5L12 21l2.5-2.5M5.5 9.5L3 12l2.5 2.5M18.5 9.5L21 12l-2.5 2.5',
  ],
};

const space = 'http://www.w3.org/2000/svg';

/** An icon for the eye alone: whatever it stands in carries the name. */
export function icon(name) {
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const shape of shapes[name]) {
    const path = document.createElementNS(space, 'path');
    const filled = shape[0] === 'f';
    path.setAttribute('d', filled ? shape.slice(1) : shape);
    if (filled) path.setAttribute('class', 'filled');
    svg.append(path);
  }
  return svg;
}
