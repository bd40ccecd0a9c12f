import { wheelPixels } from '../../view/controls.js';
import { button, relabel } from '../widgets/button.js';
import { Choice } from '../widgets/choice.js';
import { download } from '../widgets/download.js';
import { element, setText } from '../widgets/element.js';
import { CHANNEL, History, curvesThrough, place } from './history.js';
import { Plot } from './plot.js';
import { plotsPicture } from './plots_picture.js';
import { plotsTable } from './plots_table.js';
import { clock, number } from '../../text/quantity.js';
import { section } from '../widgets/section.js';
import { theme, toolColour } from '../widgets/theme.js';

const pace = 80; // ms between drawings
const kept = 'tactus.plots.span';
const spans = [
  { id: '10', label: '10 s' },
  { id: '60', label: '1 min' },
  { id: '600', label: '10 min' },
  { id: 'all', label: 'All' },
];
const leastSpan = 0.02; // s that one can zoom into
const scrolling = 400; // ms after a scroll of the panel in which the wheel is the panel's

/** What every tick measured over time: forces, the time of a tick, penetrations and energies. */
export class PlotsPanel {
  #page;
  #legend = element('ul', { className: 'legend' });
  #list = element('div', { className: 'plots', tabIndex: 0, role: 'group', 'aria-label': 'Plots over time' });
  #time = element('output', { className: 'soft small', 'aria-label': 'Time of the values' });
  #choice;
  #hold;
  #plots = []; // {plot, places, factor, asked}
  #history = null;
  #timer = 0;
  #rate = 1;
  #tick = 0;
  #built = '';
  #source = '';
  #span = localStorage.getItem(kept) ?? '10';
  #held = null; // [from, to], s, while it does not follow
  #cursor = null; // s
  #pressed = false;

  constructor(page) {
    this.#page = page;
    if (!spans.some(({ id }) => id === this.#span)) this.#span = '10';
    this.#choice = new Choice('Time range', spans, (id) => this.#choose(id));
    this.#choice.value = this.#span;
    this.#hold = button('Hold', 'pause', () => (this.#held ? this.#follow() : this.#keep(this.#window)), { wide: true });
    const tools = element(
      'div',
      { className: 'plot-tools' },
      this.#choice.element,
      element(
        'div',
        { className: 'group' },
        this.#hold,
        this.#time,
        button('Save the numbers (CSV)', 'table', () => this.#saveTable()),
        button('Save the plots (PNG)', 'camera', () => this.#savePicture()),
      ),
    );
    this.element = section('Plots', tools, this.#legend, this.#list);
    this.element.addEventListener('toggle', () => this.#soon());
    theme.addEventListener('change', () => this.#restyle());
    this.#listen();
    let size = 0;
    new ResizeObserver(() => {
      const now = parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (now !== size) this.#restyle();
      else this.#soon();
      size = now;
    }).observe(this.#list);
  }

  #listen() {
    let scrolled = -Infinity;
    const note = (event) => event.target.contains?.(this.#list) && (scrolled = performance.now());
    document.addEventListener('scroll', note, { capture: true, passive: true });
    this.#list.addEventListener(
      'wheel',
      (event) => {
        // A wheel that scrolls the panel goes on with that when plots come under it.
        if (!event.target.closest('.u-over') || performance.now() - scrolled < scrolling) return;
        event.preventDefault();
        this.#zoom(Math.exp(0.002 * wheelPixels(event)), this.#cursor);
      },
      { passive: false },
    );
    // What is dragged over stands still meanwhile.
    this.#list.addEventListener('pointerdown', () => (this.#pressed = true));
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (this.#pressed = false));
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('blur', () => this.#point(null));
  }

  state(state) {
    const { scene } = state;
    if (!scene) return;
    const built = JSON.stringify([scene.rate, scene.tools.map((tool) => tool.name)]);
    if (built !== this.#built) this.#build(scene, built);
    const source = JSON.stringify([this.#page.connection.load, state.replay?.file]);
    if (source !== this.#source) this.#clear();
    this.#source = source;
  }

  frame(frame) {
    if (this.#page.state.phase === 'running' && frame.tick < this.#tick) this.#clear(); // a reset; a replay may jump
    this.#tick = frame.tick;
    this.#history?.add(frame.traces);
    this.#soon();
  }

  #clear() {
    this.#history?.clear();
    this.#tick = 0;
    this.#follow();
  }

  #build(scene, built) {
    this.#built = built;
    const count = scene.tools.length;
    this.#rate = scene.rate;
    this.#history = new History(scene.rate, count);
    const colours = scene.tools.map((_, tool) => toolColour(tool));
    const deadline = 1e6 / scene.rate;
    const watcher = {
      cursor: (time) => this.#point(time),
      zoom: (window) => this.#keep(window),
      reset: () => this.#follow(),
    };
    const ofTools = (channel, factor, definition) => ({
      places: scene.tools.map((_, tool) => place(channel, tool)),
      factor,
      asked: definition.asked === true,
      plot: new Plot(definition, colours, watcher),
    });
    const time = { label: 'Tick time', unit: 'µs', limit: deadline, limitLabel: `deadline ${number(deadline, 4)} µs` };
    this.#plots = [
      ofTools(CHANNEL.force, 1, { label: 'Force', unit: 'N', least: 0.1, asked: true }),
      { places: [CHANNEL.time], factor: 1e6, asked: false, plot: new Plot(time, ['--ink'], watcher) },
      ofTools(CHANNEL.penetration, 1e3, { label: 'Penetration', unit: 'mm', least: 0.1 }),
      ofTools(CHANNEL.energy, 1e3, { label: 'Port energy', unit: 'mJ', least: 0.1, times: true }),
    ];
    this.#list.replaceChildren(...this.#plots.map(({ plot }) => plot.element));
    this.#legend.hidden = count < 2;
    this.#legend.replaceChildren(
      ...scene.tools.map((tool, k) =>
        element('li', {}, element('i', { style: `color: var(${colours[k]})` }), tool.name),
      ),
    );
  }

  // ---- which time is shown ----

  /** The stretch of time that is shown, s. */
  get #window() {
    if (this.#held) return this.#held;
    const now = this.#tick / this.#rate;
    const first = this.#history?.extent?.[0] ?? 0;
    if (this.#span === 'all') return [first, Math.max(first + 10, now)];
    const span = Number(this.#span);
    return [Math.max(0, now - span), Math.max(span, now)];
  }

  #choose(span) {
    this.#span = span;
    localStorage.setItem(kept, span);
    this.#follow();
  }

  #follow() {
    this.#held = null;
    relabel(this.#hold, 'Hold', '', 'pause');
    this.#soon();
  }

  /** Stands still at a stretch of time. */
  #keep([from, to]) {
    const middle = 0.5 * (from + to);
    const half = Math.max(0.5 * (to - from), 0.5 * leastSpan);
    this.#held = [Math.max(0, middle - half), middle + half];
    relabel(this.#hold, 'Follow', '', 'play');
    this.#soon();
  }

  /** @param {number} factor of the length of time that is shown @param {number|null} about s, which stays where it is */
  #zoom(factor, about) {
    const [from, to] = this.#window;
    const at = about ?? 0.5 * (from + to);
    const end = this.#history?.extent?.[1] ?? to;
    if (factor > 1 && from <= 0 && to >= end) return this.#held ? this.#follow() : undefined;
    if (factor < 1 && (to - from) * factor < leastSpan) return;
    this.#keep([at + (from - at) * factor, at + (to - at) * factor]);
  }

  #key(event) {
    if (event.target !== this.#list || event.altKey || event.ctrlKey || event.metaKey) return;
    const [from, to] = this.#window;
    const step = (to - from) / 100;
    const at = this.#cursor ?? to;
    const acts = {
      ArrowLeft: () => this.#point(Math.max(from, at - step)),
      ArrowRight: () => this.#point(Math.min(to, at + step)),
      '+': () => this.#zoom(0.7, this.#cursor),
      '=': () => this.#zoom(0.7, this.#cursor),
      '-': () => this.#zoom(1 / 0.7, this.#cursor),
      Home: () => this.#follow(),
      Escape: () => this.#point(null),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }

  /** The cursor of all plots is at a time; null: they tell what is now. */
  #point(time) {
    this.#cursor = time;
    this.#showValues();
  }

  // ---- drawing ----

  #restyle() {
    for (const { plot } of this.#plots) plot.restyle();
    this.#soon();
  }

  #soon() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (!this.#history || !this.#list.clientWidth || document.hidden || this.#pressed) return;
      this.#draw();
    }, pace);
  }

  #draw() {
    const window = this.#window;
    this.#list.dataset.window = window.map((time) => time.toFixed(3)).join(' '); // for tests
    const most = Math.max(100, 0.5 * (this.#plots[0]?.plot.width ?? 0));
    for (const { plot, places, factor, asked } of this.#plots) {
      const stretches = this.#history.stretches(...window, places, most);
      const data = curvesThrough(stretches, factor);
      if (asked) plot.draw([...data, ...this.#asked(window, places, most)], window, this.#limits(window, places, most));
      else plot.draw(data, window);
    }
    this.#showValues();
  }

  /** Two points for each stretch in which a limit was met, and gaps. */
  #asked(window, places, most) {
    const [requested, limited] = [CHANNEL.asked, CHANNEL.limited].map((channel) => {
      const of = places.map((force) => force + channel - CHANNEL.force);
      return this.#history.stretches(...window, of, most).high;
    });
    return requested.map((curve, k) => curve.flatMap((value, i) => (limited[k][i] > 0 ? [value, value] : [null, null])));
  }

  #limits(window, places, most) {
    const of = places.map((force) => force + CHANNEL.limited - CHANNEL.force);
    const { times, high } = this.#history.stretches(...window, of, most);
    return times.flatMap((_, i) => Array(2).fill(high.some((tool) => tool[i] > 0)));
  }

  /** Says the values under the cursor, or the last ones. */
  #showValues() {
    const at = this.#cursor === null ? this.#history?.latest : this.#history?.at(this.#cursor);
    for (const { plot, places, factor, asked } of this.#plots) {
      plot.cursor = this.#cursor;
      plot.showValues(
        at &&
          places.map((here) => ({
            low: at.low[here] * factor,
            high: at.high[here] * factor,
            ...(asked && at.high[here + CHANNEL.limited - CHANNEL.force] > 0
              ? { asked: at.high[here + CHANNEL.asked - CHANNEL.force] * factor }
              : {}),
          })),
      );
    }
    setText(this.#time, this.#cursor === null ? (this.#held ? 'held' : '') : `at ${this.#cursor.toFixed(3)} s`);
  }

  // ---- saving ----

  #name(ending) {
    const [from, to] = this.#window;
    return `${this.#page.state.scene?.name ?? 'tactus'}-${from.toFixed(2)}-${to.toFixed(2)}s.${ending}`;
  }

  #saveTable() {
    if (!this.#history) return;
    const tools = this.#page.state.scene?.tools ?? [];
    const text = plotsTable(this.#history, this.#window, tools.map((tool) => tool.name));
    download(new Blob([text], { type: 'text/csv' }), this.#name('csv'));
  }

  async #savePicture() {
    if (!this.#history) return;
    this.#draw();
    const tools = this.#page.state.scene?.tools ?? [];
    const legend = tools.length > 1 ? tools.map((tool, k) => [tool.name, toolColour(k)]) : [];
    const [from, to] = this.#window;
    const title = `${this.#page.state.scene?.name ?? 'tactus'}, ${clock(from)} to ${clock(to)}`;
    download(await plotsPicture(title, legend, this.#plots.map(({ plot }) => plot)), this.#name('png'));
  }
}
