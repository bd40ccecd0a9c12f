import { element } from '../widgets/element.js';
import { handy, roundUp } from '../../text/quantity.js';

/** What colours in the view mean: a card over it, one bar or row of colours for each. */
export class Legends {
  constructor({ view }) {
    this.element = element('div', { className: 'legends', hidden: true });
    view.addEventListener('legends', (event) => this.#show(event.detail));
  }

  /** @param {import('../../view/legend.js').Legend[]} legends */
  #show(legends) {
    this.element.hidden = legends.length === 0;
    this.element.replaceChildren(...legends.map((legend) => (legend.swatches ? swatches(legend) : scale(legend))));
  }
}

function swatches({ label, swatches: each }) {
  return element(
    'div',
    { className: 'meaning' },
    element('p', {}, label),
    element(
      'ul',
      { className: 'swatches' },
      ...each.map(({ colour, text }) =>
        element('li', {}, element('i', { className: 'dot', style: `color: ${colour}` }), text),
      ),
    ),
  );
}

function scale({ label, unit, least = 0, most, stops }) {
  const shown = handy(unit, most);
  const [from, to] = [least * shown.factor, most * shown.factor];
  const colours = stops.map(({ at, colour }) => `${colour} ${100 * at}%`);
  const step = roundUp((to - from) / 5);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const ticks = element('div', { className: 'ticks' });
  for (let k = Math.ceil(from / step - 1e-4); to > from && k * step <= to + 1e-4 * (to - from); ++k) {
    const at = `--at: ${(k * step - from) / (to - from)}`;
    ticks.append(element('span', { style: at }, (k * step).toFixed(digits).replace('-', '−')));
  }
  return element(
    'div',
    { className: 'meaning' },
    element('p', {}, shown.unit ? `${label}, ${shown.unit}` : label),
    element('div', { className: 'bar-colours', style: `background: linear-gradient(90deg, ${colours.join(', ')})` }),
    ticks,
  );
}
