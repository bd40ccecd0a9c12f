import uPlot from 'uplot';
import { element, say } from './element.js';
import { decimals, fixed, number, roundUp } from './quantity.js';
import { theme } from './theme.js';

const most = 4; // values beside a title; of more curves only the greatest is told

/** One live plot: a title with the values now (or under the pointer), and curves over time. */
export class Plot {
  #definition;
  #colours;
  #chart = null;
  #values = element('span', { className: 'values' });
  #frame;

  /**
   * @param {object} definition
   * @param {string} definition.label
   * @param {string} definition.unit
   * @param {number} [definition.limit] a line that must not be reached, with `limitLabel`; makes the axis logarithmic
   * @param {number} definition.least that the axis spans at the least
   * @param {boolean} [definition.times] whether the time axis has its numbers
   * @param {string[]} colours of the curves, from the style sheet
   */
  constructor(definition, colours) {
    this.#definition = definition;
    this.#colours = colours;
    this.#frame = element('div', {
      className: 'chart',
      role: 'img',
      'aria-label': `${definition.label} over the last seconds`,
    });
    if (definition.times) this.#frame.classList.add('with-times');
    this.element = element(
      'figure',
      { className: 'plot' },
      element(
        'figcaption',
        {},
        element('span', {}, definition.label, element('small', {}, definition.unit)),
        this.#values,
      ),
      this.#frame,
    );
  }

  /** @param {(number|null)[][]} data times, then the curves @param {[number, number]} window s */
  draw(data, window) {
    if (!this.#frame.clientWidth) return;
    if (!this.#chart) this.#chart = this.#create();
    const { clientWidth: width, clientHeight: height } = this.#frame;
    if (this.#chart.width !== width || this.#chart.height !== height) this.#chart.setSize({ width, height });
    // A logarithm has no place for zeros.
    const shown = this.#definition.limit ? data.map((curve) => curve.map((value) => (value > 0 ? value : null))) : data;
    this.#chart.batch(() => {
      this.#chart.setData(shown, false);
      this.#chart.setScale('x', { min: window[0], max: window[1] });
    });
    this.#tell();
  }

  /** Another theme or size of text. */
  restyle() {
    this.#chart?.destroy();
    this.#chart = null;
  }

  #create() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${Math.round(0.72 * rem)}px ${getComputedStyle(document.body).fontFamily}`;
    const { limit, times } = this.#definition;
    const axis = {
      stroke: theme.colour('--soft'),
      font,
      ticks: { show: false },
      gap: 0.35 * rem,
      grid: { stroke: theme.colour('--grid'), width: 1 },
    };
    return new uPlot(
      {
        width: this.#frame.clientWidth,
        height: this.#frame.clientHeight,
        legend: { show: false },
        cursor: { sync: { key: 'tactus' }, y: false, drag: { x: false, y: false }, points: { show: false } },
        padding: [0.45 * rem, 1.3 * rem, times ? 0 : 0.3 * rem, 0], // the last time stays whole
        scales: {
          x: { time: false, auto: false },
          y: limit
            ? { distr: 3, range: (_, low, high) => this.#decades(low, high) }
            : { range: (_, low, high) => this.#range(low, high) },
        },
        axes: [
          {
            ...axis,
            size: times ? 1.3 * rem : 0,
            space: 4 * rem,
            values: (_, values) => values.map((value) => (times ? `${value} s` : '')),
          },
          {
            ...axis,
            size: 2.7 * rem,
            space: 1.4 * rem,
            ...(limit
              ? {
                  splits: (_, __, low, high) => powers(low, high),
                  values: (_, values) => values.map((value) => (value === null ? '' : String(value))),
                  filter: (_, values) => values,
                }
              : {}),
          },
        ],
        series: [
          {},
          ...this.#colours.map((name) => ({
            stroke: theme.colour(name),
            width: 1.4,
            points: { show: false },
            spanGaps: false,
          })),
        ],
        hooks: { drawAxes: [(chart) => limit && this.#drawLimit(chart, font)], setCursor: [() => this.#tell()] },
      },
      [[], ...this.#colours.map(() => [])],
      this.#frame,
    );
  }

  #range(low, high) {
    const { least } = this.#definition;
    const top = roundUp(Math.max(least, high ?? 0));
    return [low < -least / 100 ? -roundUp(-low) : 0, top];
  }

  #decades(low, high) {
    const { limit } = this.#definition;
    const bottom = low > 0 && low < 1 ? 0.1 : 1;
    return [Math.min(bottom, limit / 10), Math.max(limit * 2.5, (high ?? 0) * 1.3)];
  }

  #drawLimit(chart, font) {
    const { limit, limitLabel } = this.#definition;
    const { ctx, bbox } = chart;
    const y = Math.round(chart.valToPos(limit, 'y', true));
    const colour = theme.colour('--bad');
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = 1.2 * devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = font.replace(/^\d+/, (size) => size * devicePixelRatio);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'top';
    ctx.fillText(limitLabel, bbox.left + bbox.width - 2 * devicePixelRatio, y + 3 * devicePixelRatio);
    ctx.restore();
  }

  /** The values under the pointer, or the last ones. */
  #tell() {
    const chart = this.#chart;
    if (!chart?.data?.[0]) return;
    const at = chart.cursor.idx ?? chart.data[0].length - 1;
    const places = this.#definition.limit ? null : decimals(chart.scales.y.max);
    let values = chart.data
      .slice(1)
      .map((curve, k) => ({ name: this.#colours[k], value: curve[at] ?? curve[at - 2] ?? null }));
    if (values.length > most) {
      values = [values.reduce((a, b) => ((b.value ?? -Infinity) > (a.value ?? -Infinity) ? b : a))];
    }
    while (this.#values.children.length > values.length) this.#values.lastChild.remove();
    while (this.#values.children.length < values.length) this.#values.append(element('b', {}));
    values.forEach(({ name, value }, k) => {
      const shown = this.#values.children[k];
      shown.style.setProperty('--mark', `var(${name})`);
      say(shown, value === null ? '–' : places === null ? number(value) : fixed(value, places));
    });
  }
}

function powers(low, high) {
  const out = [];
  for (let p = Math.ceil(Math.log10(low) - 1e-9); p <= Math.log10(high); ++p) out.push(10 ** p);
  return out;
}
