import { element, setText } from './widgets/element.js';
import { number, quantity } from '../text/quantity.js';
import { section } from './widgets/section.js';

const pace = 250; // ms
const count = (value) => (Number.isNaN(value) ? '–' : value.toLocaleString('en'));
const micro = (seconds) => number(seconds * 1e6);

/** How well the loops keep their time, in numbers. */
export class NumbersPanel {
  #page;
  #fields = new Map();
  #distributed = element('dl', { className: 'numbers', 'aria-label': 'Distributed contact', hidden: true });
  #pairs = [];
  #remark = element('p', { className: 'note', hidden: true });
  #numbers = null;
  #received = 0;
  #drawn = 0;
  #measured = performance.now();

  constructor(page) {
    this.#page = page;
    this.tiles = element(
      'dl',
      { className: 'tiles' },
      this.#tile('servo', 'servo', 'Hz'),
      this.#tile('p99', 'tick, p99', 'µs'),
      this.#tile('missed', 'missed', 'ticks'),
    );
    const head = ['', 'p50', 'p99', 'p99.9', 'max'].map((text) => element('th', { scope: 'col' }, text));
    const row = (label, ...names) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, label),
        ...names.map((name) => element('td', {}, name ? this.#field(name) : '')),
      );
    this.element = section(
      'Numbers',
      this.#remark,
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head)),
        element(
          'tbody',
          {},
          row('tick, µs', 'tickP50', 'tickP99', 'tickP999', 'tickMax'),
          row('lateness, µs', null, 'lateP99', null, 'lateMax'),
        ),
      ),
      element(
        'dl',
        { className: 'numbers' },
        ...this.#pair('Deadline', 'deadline'),
        ...this.#pair('Missed by computation', 'slow'),
        ...this.#pair('Missed by lateness', 'late'),
        ...this.#pair('Servo loop', 'servoLoop'),
        ...this.#pair('Frames from the program', 'display'),
        ...this.#pair('Frames received', 'received'),
        ...this.#pair('Frames drawn', 'drawn'),
        ...this.#pair('Pixels per frame', 'pixels'),
        ...this.#pair('Contacts', 'contacts'),
        ...this.#pair('Pages open', 'clients'),
      ),
      this.#distributed,
    );
    this.#distributed.append(
      ...this.#pair('Points in contact', 'points'),
      ...this.#pair('Deepest point', 'deepest'),
      ...this.#pair('Nodes visited', 'visited'),
      ...this.#pair('Level rendered', 'level'),
      ...this.#pair('Degraded pairs', 'degraded'),
    );
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    this.#remark.hidden = !state.servo?.remark;
    setText(this.#remark, state.servo?.remark ?? '');
    if (!state.scene) this.#numbers = null;
    this.#distributed.hidden = !(state.scene?.pairs?.length > 0);
    if (this.#distributed.hidden) this.#pairs = [];
  }

  frame(frame) {
    if (frame.numbers) this.#numbers = frame.numbers;
    if (frame.pairs.length > 0) this.#pairs = frame.pairs;
  }

  #field(name) {
    const made = element('span', {}, '–');
    this.#fields.set(name, made);
    return made;
  }

  #pair(label, name) {
    return [element('dt', {}, label), element('dd', {}, this.#field(name))];
  }

  #tile(name, label, unit) {
    const value = element('b', {});
    const detail = element('small', {});
    this.#fields.set(`${name} tile`, { value, detail, unit });
    return element('div', {}, element('dt', {}, label), element('dd', {}, value, detail));
  }

  #write(name, text, mark = '') {
    const field = this.#fields.get(name);
    setText(field, text);
    field.className = mark;
  }

  #writeTile(name, text, detail, mark = '') {
    const tile = this.#fields.get(`${name} tile`);
    setText(tile.value, text);
    tile.value.className = mark;
    setText(tile.detail, detail || tile.unit);
  }

  #show() {
    const { connection, state } = this.#page;
    const now = performance.now();
    const seconds = (now - this.#measured) / 1000;
    if (seconds > 0.9) {
      this.#write('received', `${number((connection.received - this.#received) / seconds)} Hz`);
      this.#write('drawn', `${number((connection.drawn - this.#drawn) / seconds)} Hz`);
      [this.#received, this.#drawn, this.#measured] = [connection.received, connection.drawn, now];
    }
    const { element: canvas, sharpness } = this.#page.view;
    const coarse = sharpness < 1 ? ` (${Math.round(100 * sharpness)} %)` : '';
    this.#write('pixels', `${canvas.width} × ${canvas.height}${coarse}`);
    const numbers = state.phase === 'replaying' ? untimed(this.#numbers) : this.#numbers;
    const { scene } = state;
    if (!numbers || !scene) return;
    const { tick, lateness, missedByComputation: slow, missedByLateness: late } = numbers;
    const deadline = 1e6 / scene.rate;
    this.#writeTile('servo', number(numbers.servoRate, 4), `of ${number(scene.rate, 4)} Hz`);
    this.#writeTile('p99', micro(tick.p99), `of ${number(deadline, 4)} µs`);
    this.#writeTile(
      'missed',
      count(slow + late),
      slow + late === 1 ? 'tick' : 'ticks',
      slow > 0 ? 'bad' : mark(late, 'warn'),
    );
    this.#write('tickP50', micro(tick.p50));
    this.#write('tickP99', micro(tick.p99));
    this.#write('tickP999', micro(tick.p999));
    this.#write('tickMax', micro(tick.max), tick.max * scene.rate > 1 ? 'bad' : '');
    this.#write('lateP99', micro(lateness.p99));
    this.#write('lateMax', micro(lateness.max), lateness.max * scene.rate > 1 ? 'warn' : '');
    this.#write('deadline', `${number(deadline, 4)} µs`);
    this.#write('slow', count(slow), mark(slow, 'bad'));
    this.#write('late', count(late), mark(late, 'warn'));
    this.#write('servoLoop', `${number(numbers.servoRate, 4)} Hz`);
    this.#write('display', `${number(numbers.displayRate)} Hz`);
    this.#write('contacts', count(numbers.contacts));
    this.#write('clients', count(numbers.clients));
    if (this.#pairs.length > 0) this.#writePairs();
  }

  #writePairs() {
    const sum = (of) => this.#pairs.reduce((total, pair) => total + of(pair), 0);
    const least = this.#pairs.reduce((a, b) => (b.level - b.last < a.level - a.last ? b : a));
    const degraded = sum(({ level, last }) => (level < last ? 1 : 0));
    this.#write('points', count(sum((pair) => pair.touching)));
    this.#write('deepest', quantity(Math.max(...this.#pairs.map((pair) => pair.deepest)), 'm'));
    this.#write('visited', count(sum((pair) => pair.visited)));
    this.#write('level', `${least.level} of ${least.last}`, least.level < least.last ? 'warn' : '');
    this.#write('degraded', `${degraded} of ${this.#pairs.length}`, mark(degraded, 'warn'));
  }
}

/** A recording is shown at the page's pace: nothing of that is the servo loop's. */
function untimed(numbers) {
  if (!numbers) return null;
  const tick = { p50: NaN, p99: NaN, p999: NaN, max: NaN };
  const lateness = { p99: NaN, max: NaN };
  return { ...numbers, servoRate: NaN, tick, lateness, missedByComputation: NaN, missedByLateness: NaN };
}

/** The name of a count's colour; none where nothing was counted. */
function mark(value, bad) {
  if (Number.isNaN(value)) return '';
  return value > 0 ? bad : 'good';
}
