import { millimetres } from '../../view/measure.js';
import { SurfacePoint } from '../../view/surface_point.js';
import { button } from '../widgets/button.js';
import { element, setText } from '../widgets/element.js';
import { fixed, quantity } from '../../text/quantity.js';

const QUANTITIES = {
  displacement: ['Displacement', 'm'],
  stress: ['Von Mises stress', 'Pa'],
  stretch: ['Largest stretch', ''],
  pressure: ['Contact pressure', 'Pa'],
};
const SPAN = 10; // s of a curve
const PACE = 0.05; // s between two of its values
const [WIDE, TALL] = [120, 26];
const CARD = 14; // pixels between the pointer and what it tells

/** The value of a quantity with its unit; a dash where nothing is known. */
function valueText(name, value) {
  if (value === null) return '–';
  return name === 'displacement' ? millimetres(value) : quantity(value, QUANTITIES[name][1], 4);
}

const placed = ({ x, y, z }) => [x, y, z].map((each) => fixed(1000 * each, 1)).join(', ');

/** What is known at a place: [label, text] each. @param {SurfacePoint} point @param {string} colour of the view */
function facts(point, colour) {
  const position = point.position();
  const names = ['displacement', ...(colour in QUANTITIES && colour !== 'displacement' ? [colour] : [])];
  return [
    ['Body', point.bodyName],
    ['Vertex', String(point.vertex)],
    ['At, mm', position ? placed(position) : '–'],
    ...names.map((name) => [QUANTITIES[name][0], valueText(name, point.value(name))]),
  ];
}

const list = (rows) => rows.flatMap(([label, text]) => [element('dt', {}, label), element('dd', {}, text)]);

/** The last seconds of a value, small. */
class Curve {
  #values = []; // [time, value]
  #line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');

  constructor() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', `0 0 ${WIDE} ${TALL}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('class', 'curve');
    svg.setAttribute('aria-hidden', 'true'); // the number beside it is read out
    svg.append(this.#line);
    this.element = svg;
  }

  clear() {
    this.#values = [];
  }

  add(time, value) {
    const last = this.#values.at(-1)?.[0] ?? -Infinity;
    if (time < last) this.clear(); // back in a replay
    else if (value === null || time - last < PACE) return;
    this.#values.push([time, value]);
    while (this.#values[0][0] < time - SPAN) this.#values.shift();
  }

  show() {
    const values = this.#values.map(([, value]) => value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const end = this.#values.at(-1)?.[0] ?? 0;
    const points = this.#values.map(([time, value]) => {
      const x = WIDE * (1 - (end - time) / SPAN);
      const y = most > least ? TALL - 2 - ((TALL - 4) * (value - least)) / (most - least) : TALL / 2;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    this.#line.setAttribute('points', points.join(' '));
  }
}

/** What is known at places on surfaces: under the pointer, and at those that are pinned, which follow them. */
export class ProbePanel {
  #view;
  #marks;
  #pins = []; // {point, mark, row, rows, curve}
  #list = element('ul', { className: 'readings probes' });
  /** Told beside the pointer. */
  card = element('dl', { className: 'probe-card', hidden: true });
  #over = null; // {point, x, y}

  constructor({ view }, marks) {
    this.#view = view;
    this.#marks = marks;
    this.element = this.#list;
  }

  get tool() {
    return {
      name: 'probe',
      click: (hit) => this.#pin(hit),
      hover: (hit, x, y) => {
        const point = hit ? SurfacePoint.at(this.#view, hit) : null;
        this.#over = point ? { point, x, y } : null;
        this.#showCard();
      },
    };
  }

  #showCard() {
    this.card.hidden = this.#over === null;
    if (!this.#over) return;
    const { point, x, y } = this.#over;
    this.card.replaceChildren(...list(facts(point, this.#view.colour)));
    const { width, height } = this.#view.size;
    // On the side of the pointer that has room.
    const [right, below] = [x < width / 2, y < height / 2];
    Object.assign(this.card.style, {
      left: right ? `${x + CARD}px` : 'auto',
      right: right ? 'auto' : `${width - x + CARD}px`,
      top: below ? `${y + CARD}px` : 'auto',
      bottom: below ? 'auto' : `${height - y + CARD}px`,
    });
  }

  /** What the label of a pin says: what is coloured where that is known, else the displacement. */
  get #name() {
    const { colour } = this.#view;
    return colour in QUANTITIES ? colour : 'displacement';
  }

  #value(point) {
    const value = point.value(this.#name);
    return value === null ? ['displacement', point.displacement] : [this.#name, value];
  }

  #pin(hit) {
    const point = SurfacePoint.at(this.#view, hit);
    if (!point) return;
    const mark = { points: [point], at: 0, text: () => valueText(...this.#value(point)) };
    const rows = element('dl', { className: 'numbers' });
    const curve = new Curve();
    const head = element('div', { className: 'row' });
    const row = element('li', {}, head, rows);
    const pin = { point, mark, row, rows, curve, name: '' };
    head.append(
      curve.element,
      button('Remove this probe', 'close', () => this.#remove(pin), { className: 'small' }),
    );
    this.#pins.push(pin);
    this.#list.append(row);
    this.#marks.add(mark);
    this.show();
  }

  #remove(pin) {
    this.#marks.remove(pin.mark);
    pin.row.remove();
    this.#pins.splice(this.#pins.indexOf(pin), 1);
    this.show();
  }

  clear() {
    for (const pin of [...this.#pins]) this.#remove(pin);
  }

  /** What is read at the pins now, SI units. */
  get values() {
    return this.#pins.map(({ point }) => {
      const [name, value] = this.#value(point);
      return { body: point.body, vertex: point.vertex, displacement: point.displacement, name, value };
    });
  }

  /** @param {number} time s */
  frame(time) {
    for (const pin of this.#pins) {
      const [name, value] = this.#value(pin.point);
      if (name !== pin.name) pin.curve.clear();
      pin.name = name;
      pin.curve.add(time, value);
    }
  }

  show() {
    this.#list.hidden = this.#pins.length === 0;
    for (const { point, rows, curve } of this.#pins) {
      const now = facts(point, this.#view.colour);
      if (rows.children.length !== 2 * now.length) rows.replaceChildren(...list(now));
      now.forEach(([label, text], k) => {
        setText(rows.children[2 * k], label);
        setText(rows.children[2 * k + 1], text);
      });
      curve.show();
    }
    if (this.#over) this.#showCard();
  }
}
