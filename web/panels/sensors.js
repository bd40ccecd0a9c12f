import { element, setText } from './widgets/element.js';
import { decimals, fixed, handy } from '../text/quantity.js';
import { section } from './widgets/section.js';

const pace = 250; // ms
const parts = { displacement: ['x', 'y', 'z'], stress: ['xx', 'yy', 'zz', 'yz', 'zx', 'xy'] };

/** What the sensors inside the bodies say. */
export class SensorsPanel {
  #list = element('div', { className: 'stack' });
  #sensors = []; // {body, at, count, unit, heading, cells}
  #values = new Map();
  #built = '';

  constructor() {
    this.element = section('Sensors', this.#list);
    this.element.hidden = true;
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    const bodies = state.scene?.bodies ?? [];
    const built = JSON.stringify(bodies.map((body) => [body.name, body.sensors]));
    if (built === this.#built) return;
    this.#built = built;
    this.#values.clear();
    this.#sensors = bodies.flatMap((body, index) => {
      let at = 0;
      return body.sensors.map((sensor) => {
        const names = parts[sensor.kind] ?? [''];
        const made = { body: index, at, names, unit: sensor.unit };
        at += names.length;
        made.heading = element('span', { className: 'unit' });
        made.cells = names.map(() => element('span', {}, '–'));
        made.element = element(
          'div',
          { className: 'sensor' },
          element('h3', {}, bodies.length > 1 ? `${body.name}: ${sensor.name}` : sensor.name, made.heading),
          element(
            'dl',
            {},
            ...names.map((name, k) => element('div', {}, element('dt', {}, name), element('dd', {}, made.cells[k]))),
          ),
        );
        setText(made.heading, `${sensor.kind}, ${sensor.unit}`);
        made.kind = sensor.kind;
        return made;
      });
    });
    this.#list.replaceChildren(...this.#sensors.map((sensor) => sensor.element));
    this.element.hidden = this.#sensors.length === 0;
  }

  frame(frame) {
    for (const { body, values } of frame.sensors) this.#values.set(body, values);
  }

  #show() {
    for (const sensor of this.#sensors) {
      const all = this.#values.get(sensor.body);
      if (!all) continue;
      const values = [...all.subarray(sensor.at, sensor.at + sensor.names.length)];
      const greatest = Math.max(...values.map(Math.abs));
      const { unit, factor } = handy(sensor.unit, greatest);
      const places = decimals(greatest * factor);
      setText(sensor.heading, `${sensor.kind}, ${unit}`);
      values.forEach((value, k) => setText(sensor.cells[k], fixed(value * factor, places)));
    }
  }
}
