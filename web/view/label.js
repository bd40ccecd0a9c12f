import * as THREE from 'three';

const HEIGHT = 26; // CSS pixels on the screen, more in pictures taller than TALL
const TALL = 1000;
const EDGE = 6; // CSS pixels that words stay away from the picture's sides
const SHARP = 3; // canvas pixels for each of them
const FONT = `600 ${15 * SHARP}px system-ui, "Segoe UI", Roboto, sans-serif`;

const SIDES = { above: [0.5, -0.6], below: [0.5, 1.6], left: [1.04, 0.5] }; // of the place: what lies on it

/** A few words at a place in the world, of the same size however far away. */
export class Label {
  #canvas = document.createElement('canvas');
  #text = null;
  #style = '';
  #where;
  #wide = 0; // of the words, over the width of the canvas

  /** @param {'above'|'below'|'left'} [where] of the place @param {number} [widest] CSS pixels */
  constructor(where = 'above', widest = 128) {
    const texture = new THREE.CanvasTexture(this.#canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.generateMipmaps = false;
    texture.minFilter = THREE.LinearFilter;
    this.object = new THREE.Sprite(
      new THREE.SpriteMaterial({
        map: texture,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        sizeAttenuation: false,
        toneMapped: false,
      }),
    );
    this.object.renderOrder = 100;
    this.object.frustumCulled = false; // words may be in the picture where their place is not
    this.#where = SIDES[where];
    this.object.center.set(...this.#where);
    this.#canvas.width = widest * SHARP;
    this.#canvas.height = HEIGHT * SHARP;
  }

  /**
   * @param {string} text
   * @param {{ink: string, paper: string, edge: string}} style
   */
  set(text, style) {
    const key = Object.values(style).join();
    if (text === this.#text && key === this.#style) return;
    this.#text = text;
    this.#style = key;
    const { width, height } = this.#canvas;
    const context = this.#canvas.getContext('2d');
    context.clearRect(0, 0, width, height);
    context.font = FONT;
    const pill = Math.min(context.measureText(text).width + 18 * SHARP, width - 2 * SHARP);
    this.#wide = pill / width;
    context.fillStyle = style.paper;
    context.strokeStyle = style.edge;
    context.lineWidth = 1.5 * SHARP;
    context.beginPath();
    context.roundRect((width - pill) / 2, SHARP, pill, height - 2 * SHARP, height / 2);
    context.fill();
    context.stroke();
    context.fillStyle = style.ink;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, width / 2, height / 2 + SHARP, width - 14 * SHARP);
    this.object.material.map.needsUpdate = true;
  }

  /** Keeps its size on the screen, and its words within the picture. @param {import('./view.js').View} view */
  fit(view) {
    const { width: wide, height: high } = view.size;
    const tall = (HEIGHT / Math.min(high, TALL)) * 2 * Math.tan((view.camera.fov * Math.PI) / 360);
    this.object.scale.set((tall * this.#canvas.width) / this.#canvas.height, tall, 1);
    const larger = Math.max(high / TALL, 1);
    const [width, height] = [(larger * this.#canvas.width) / SHARP, larger * HEIGHT];
    const at = view.project(this.object.position);
    const [x, y] = this.#where;
    const [left, right] = [-1, 1].map((side) => at.x + width * (0.5 - x + 0.5 * side * this.#wide));
    const [top, bottom] = [at.y + height * (y - 1), at.y + height * y];
    const aside = into(left, right, EDGE, wide - EDGE);
    const down = into(top, bottom, view.covered + EDGE, high - EDGE);
    this.object.center.set(x - aside / width, y + down / height);
  }
}

/** How far what reaches from one place to another has to go to be between least and most. */
function into(from, to, least, most) {
  return Math.max(0, least - from) - Math.max(0, to - most);
}
