import { Measure } from '../../view/measure.js';
import { SurfacePoint } from '../../view/surface_point.js';
import { button } from '../widgets/button.js';
import { element, setText } from '../widgets/element.js';

const NAMES = { distance: 'Distance', angle: 'Angle' };
const POINTS = { distance: 2, angle: 3 };

/** Distances and angles between places on surfaces, which follow them. */
export class MeasurePanel {
  #view;
  #marks;
  #began = []; // points of a measure that is not complete, with their marks
  #measures = []; // {measure, row, text}
  #list = element('ul', { className: 'readings' });

  /** @param {object} page @param {import('../../view/surface_marks.js').SurfaceMarks} marks */
  constructor({ view }, marks) {
    this.#view = view;
    this.#marks = marks;
    this.element = this.#list;
  }

  /** What a click does, for the pointer. @param {'distance'|'angle'} kind */
  tool(kind) {
    return { name: kind, click: (hit) => this.#add(kind, hit) };
  }

  #add(kind, hit) {
    const point = SurfacePoint.at(this.#view, hit);
    if (!point) return;
    const mark = { points: [point], at: 0, text: () => `${this.#began.findIndex((each) => each.mark === mark) + 1}` };
    this.#began.push({ point, mark });
    this.#marks.add(mark);
    if (this.#began.length < POINTS[kind]) return;
    const points = this.#began.map((each) => each.point);
    this.cancel();
    this.#keep(new Measure(points));
  }

  /** Forgets points of a measure that is not complete. */
  cancel() {
    for (const { mark } of this.#began.splice(0)) this.#marks.remove(mark);
  }

  #keep(measure) {
    const text = element('output', {});
    const start = element('small', {});
    const row = element('li', {}, element('span', {}, NAMES[measure.kind]), text, start);
    const entry = { measure, row, text, start };
    row.append(button(`Remove this ${measure.kind}`, 'close', () => this.#remove(entry), { className: 'small' }));
    this.#measures.push(entry);
    this.#list.append(row);
    this.#marks.add(measure);
    this.show();
  }

  #remove(entry) {
    this.#marks.remove(entry.measure);
    entry.row.remove();
    this.#measures.splice(this.#measures.indexOf(entry), 1);
    this.show();
  }

  clear() {
    this.cancel();
    for (const entry of [...this.#measures]) this.#remove(entry);
  }

  /** What is read of them now. @returns {{kind: string, value: number|null, start: number|null}[]} m, degrees */
  get values() {
    return this.#measures.map(({ measure: { kind, value, start } }) => ({ kind, value, start }));
  }

  show() {
    this.#list.hidden = this.#measures.length === 0;
    for (const { measure, text, start } of this.#measures) {
      setText(text, measure.text());
      setText(start, `initially ${measure.format(measure.start)}`);
    }
  }
}
