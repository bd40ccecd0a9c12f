import { element } from './element.js';
import { handy, roundUp } from './quantity.js';

/** What the colours of the bodies mean: a bar over the view. */
export class Scale {
  #bar = element('div', { className: 'bar-colours' });
  #ticks = element('div', { className: 'ticks' });
  #label = element('p', {});

  constructor({ view }) {
    this.element = element('div', { className: 'scale', hidden: true }, this.#label, this.#bar, this.#ticks);
    view.addEventListener('scale', (event) => this.#show(event.detail));
  }

  /** @param {{label: string, unit: string, most: number, stops: {at: number, colour: string}[]}|null} scale */
  #show(scale) {
    this.element.hidden = !scale;
    if (!scale) return;
    const { unit, factor } = handy(scale.unit, scale.most);
    const most = scale.most * factor;
    this.#label.textContent = `${scale.label}, ${unit}`;
    const stops = scale.stops.map(({ at, colour }) => `${colour} ${100 * at}%`);
    this.#bar.style.background = `linear-gradient(90deg, ${stops.join(', ')})`;
    const step = roundUp(most / 5);
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    this.#ticks.replaceChildren();
    for (let k = 0; most > 0 && k * step <= most * 1.0001; ++k) {
      const left = `left: ${(100 * k * step) / most}%`;
      this.#ticks.append(element('span', { style: left }, (k * step).toFixed(digits)));
    }
  }
}
