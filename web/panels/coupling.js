import { REQUEST } from '../protocol/protocol.js';
import { coupledOrder } from './coupled_order.js';
import { element, setText } from './widgets/element.js';
import { quantity } from '../text/quantity.js';
import { foldedSection } from './widgets/section.js';

const pace = 100; // ms between drawings
// Along the normal red, across green and blue; a coupling of two directions has the mean of their colours.
const colours = [
  [255, 64, 48],
  [48, 224, 72],
  [72, 120, 255],
];

/** The Delassus operator of the contacts that obey laws, as a picture: a cell of 3 x 3 for each two contacts. */
export class CouplingPanel {
  #canvas = element('canvas', { className: 'coupling', role: 'img', hidden: true, width: 3, height: 3 });
  #text = element('p');
  #coupling = null;
  #local = false; // bodies are simulated slower than tools are rendered
  #timer = 0;

  constructor() {
    const legend = ['normal', 'across', 'across'].map((text, k) =>
      element('li', {}, element('i', { style: `color: rgb(${colours[k].join(' ')})` }), text),
    );
    this.element = foldedSection(
      'Coupling of contacts',
      this.#text,
      this.#canvas,
      element('ul', { className: 'legend' }, ...legend),
    );
    this.element.addEventListener('toggle', () => this.#soon());
    this.#showStatus();
  }

  /** What the program is asked to send, bits of REQUEST. */
  get requests() {
    return this.element.open && this.#text.clientWidth > 0 ? REQUEST.coupling : 0;
  }

  state(state) {
    if (state.phase !== 'running') this.#coupling = null;
    this.#local = state.scene?.simulate_every > 1;
    this.#soon();
  }

  frame({ coupling }) {
    if (!coupling) return;
    this.#coupling = coupling;
    this.#soon();
  }

  #soon() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (this.element.open && !document.hidden) this.#draw();
    }, pace);
  }

  #showStatus() {
    const { count, most } = this.#coupling ?? { count: 0 };
    const text =
      count > 0
        ? `W of ${count} contact${count > 1 ? 's' : ''}${this.#local ? ' of the local problem' : ''}; largest compliance ${quantity(most, 'm')}/N`
        : this.#local
          ? 'No tool is near a body now.'
          : 'There are no contacts with exact laws now.';
    setText(this.#text, text);
    this.#canvas.setAttribute('aria-label', text);
    this.#canvas.hidden = count === 0;
  }

  #draw() {
    this.#showStatus();
    if (this.#canvas.hidden) return;
    const { count, values } = this.#coupling;
    const width = 3 * count;
    const order = coupledOrder(count, values);
    if (this.#canvas.width !== width) this.#canvas.width = this.#canvas.height = width;
    const context = this.#canvas.getContext('2d');
    const picture = context.createImageData(width, width);
    for (let row = 0; row < width; ++row) {
      const from = (3 * order[Math.floor(row / 3)] + (row % 3)) * width;
      for (let column = 0; column < width; ++column) {
        const size = values[from + 3 * order[Math.floor(column / 3)] + (column % 3)] / 255;
        const [one, other] = [colours[row % 3], colours[column % 3]];
        const pixel = 4 * (row * width + column);
        for (let k = 0; k < 3; ++k) picture.data[pixel + k] = 0.5 * size * (one[k] + other[k]);
        picture.data[pixel + 3] = 255;
      }
    }
    context.putImageData(picture, 0, 0);
  }
}
