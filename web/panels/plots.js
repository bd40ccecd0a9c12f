import { element } from './element.js';
import { Plot } from './plot.js';
import { number } from './quantity.js';
import { section } from './section.js';
import { theme, toolColour } from './theme.js';
import { Trace } from './trace.js';

const pace = 80; // ms between drawings
const channels = { time: 0, force: 2, penetration: 3, energy: 4 }; // of a tick's numbers; the last three for every tool

/** The last ten seconds: forces, the time of a tick, penetrations and energies. */
export class PlotsPanel {
  #page;
  #legend = element('ul', { className: 'legend' });
  #list = element('div', { className: 'plots' });
  #plots = []; // {plot, channels, factor}
  #trace = null;
  #timer = 0;
  #rate = 1;
  #tick = 0;
  #built = '';
  #source = '';

  constructor(page) {
    this.#page = page;
    this.element = section('Last ten seconds', this.#legend, this.#list);
    this.element.addEventListener('toggle', () => this.#soon());
    theme.addEventListener('change', () => this.#restyle());
    let size = 0;
    new ResizeObserver(() => {
      const now = parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (now !== size) this.#restyle();
      else this.#soon();
      size = now;
    }).observe(this.#list);
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
    for (const trace of frame.traces) this.#trace?.add(trace);
    this.#soon();
  }

  #clear() {
    this.#trace?.clear();
    this.#tick = 0;
    this.#soon();
  }

  #build(scene, built) {
    this.#built = built;
    const count = scene.tools.length;
    this.#rate = scene.rate;
    this.#trace = new Trace(scene.rate, count);
    const each = scene.tools.map((_, tool) => tool);
    const colours = each.map(toolColour);
    const of = (channel) => each.map((tool) => channel + 3 * tool);
    const deadline = 1e6 / scene.rate;
    this.#plots = [
      { channels: of(channels.force), factor: 1, plot: new Plot({ label: 'Force', unit: 'N', least: 0.1 }, colours) },
      {
        channels: [channels.time],
        factor: 1e6,
        plot: new Plot(
          { label: 'Tick time', unit: 'µs', limit: deadline, limitLabel: `deadline ${number(deadline, 4)} µs` },
          ['--ink'],
        ),
      },
      {
        channels: of(channels.penetration),
        factor: 1e3,
        plot: new Plot({ label: 'Penetration', unit: 'mm', least: 0.1 }, colours),
      },
      {
        channels: of(channels.energy),
        factor: 1e3,
        plot: new Plot({ label: 'Port energy', unit: 'mJ', least: 0.1, times: true }, colours),
      },
    ];
    this.#list.replaceChildren(...this.#plots.map(({ plot }) => plot.element));
    this.#legend.hidden = count < 2;
    this.#legend.replaceChildren(
      ...scene.tools.map((tool, k) =>
        element('li', {}, element('i', { style: `color: var(${colours[k]})` }), tool.name),
      ),
    );
  }

  #restyle() {
    for (const { plot } of this.#plots) plot.restyle();
    this.#soon();
  }

  #soon() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (!this.#trace || !this.#list.clientWidth || document.hidden) return;
      const time = this.#tick / this.#rate;
      const window = this.#trace.window(time);
      for (const { plot, channels: places, factor } of this.#plots) {
        plot.draw(this.#trace.curves(time, places, factor), window);
      }
    }, pace);
  }
}
