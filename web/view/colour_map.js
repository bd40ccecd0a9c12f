import * as THREE from 'three';

/**
 * Colours of a scalar from none to most: steel blue over violet and red to pale yellow. Lightness rises all the way, so
 * that it reads without hues too (colour-blind eyes, grey prints), and equal steps look equally far apart.
 */

// OKLCH: lightness, chroma, hue in degrees.
const KNOTS = [
  [0.53, 0.06, 235],
  [0.55, 0.105, 282],
  [0.6, 0.155, 325],
  [0.67, 0.185, 5],
  [0.76, 0.16, 45],
  [0.85, 0.145, 75],
  [0.94, 0.115, 103],
];
export const COLOUR_COUNT = 256;

/** Of what has a sign: blue below zero, orange above, both darker the farther away; pale at zero. */
const SIGNED_KNOTS = [
  [0.4, 0.13, 262],
  [0.62, 0.11, 250],
  [0.93, 0.012, 240],
  [0.7, 0.13, 58],
  [0.47, 0.14, 38],
];

function oklab([lightness, chroma, hue]) {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** Oklab (Ottosson 2020) to sRGB in [0, 1]. */
function srgb([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((x) => {
    const c = Math.min(Math.max(x, 0), 1);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
  });
}

/** A smooth curve through the knots (Catmull-Rom; hues run on beyond 360). */
function curve(at) {
  const hues = KNOTS.map((knot) => knot[2]);
  for (let k = 1; k < hues.length; ++k) while (hues[k] < hues[k - 1]) hues[k] += 360;
  const knot = (k) => [KNOTS[k][0], KNOTS[k][1], hues[k]];
  const last = KNOTS.length - 1;
  const x = Math.min(Math.max(at, 0), 1) * last;
  const k = Math.min(Math.floor(x), last - 1);
  const t = x - k;
  const [p0, p1, p2, p3] = [Math.max(k - 1, 0), k, k + 1, Math.min(k + 2, last)].map(knot);
  return p1.map(
    (_, c) =>
      p1[c] +
      0.5 *
        t *
        (p2[c] - p0[c] + t * (2 * p0[c] - 5 * p1[c] + 4 * p2[c] - p3[c] + t * (3 * (p1[c] - p2[c]) + p3[c] - p0[c]))),
  );
}

function makeColours() {
  // Equal steps along the curve's length in Oklab.
  const fine = Array.from({ length: 2001 }, (_, k) => oklab(curve(k / 2000)));
  const length = [0];
  for (let k = 1; k < fine.length; ++k) {
    length.push(length[k - 1] + Math.hypot(...fine[k].map((x, c) => x - fine[k - 1][c])));
  }
  const total = length[length.length - 1];
  const colours = [];
  let at = 0;
  for (let i = 0; i < COLOUR_COUNT; ++i) {
    const wanted = (total * i) / (COLOUR_COUNT - 1);
    while (at < fine.length - 1 && length[at] < wanted) ++at;
    colours.push(srgb(fine[at]));
  }
  return colours;
}

/** COLOUR_COUNT times red, green, blue in [0, 1], sRGB. */
export const COLOURS = makeColours();

/** Likewise, from the most below zero to the most above. Straight between the knots, so that zero is not passed around. */
export const SIGNED_COLOURS = Array.from({ length: COLOUR_COUNT }, (_, i) => {
  const x = (i / (COLOUR_COUNT - 1)) * (SIGNED_KNOTS.length - 1);
  const k = Math.min(Math.floor(x), SIGNED_KNOTS.length - 2);
  const [from, to] = [oklab(SIGNED_KNOTS[k]), oklab(SIGNED_KNOTS[k + 1])];
  return srgb(from.map((value, c) => value + (x - k) * (to[c] - value)));
});

export function colourTexture(colours = COLOURS) {
  const data = new Uint8Array(4 * COLOUR_COUNT);
  colours.forEach((colour, i) => data.set([...colour.map((c) => Math.round(255 * c)), 255], 4 * i));
  const texture = new THREE.DataTexture(data, COLOUR_COUNT, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = THREE.LinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** For a scale bar: [{at: 0 to 1, colour: '#rrggbb'}]. */
export function colourStops(colours = COLOURS, count = 13) {
  return Array.from({ length: count }, (_, k) => {
    const colour = colours[Math.round((k / (count - 1)) * (COLOUR_COUNT - 1))];
    const hex = colour
      .map((c) =>
        Math.round(255 * c)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('');
    return { at: k / (count - 1), colour: `#${hex}` };
  });
}
