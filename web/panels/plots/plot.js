import uPlot from 'uplot';
import { element, setText } from '../widgets/element.js';
import { decimals, fixed, number, roundUp } from '../../text/quantity.js';
import { theme } from '../widgets/theme.js';

/**
 * One live plot: a title with the values now (or under the cursor), and curves over time.
 *
 * @typedef {object} Watcher what is done with it
 * @property {(time: number|null) => void} cursor the pointer is at a time, s, or gone
 * @property {(window: [number, number]) => void} zoom a person has chosen a stretch of time, s
 * @property {() => void} reset back to the last seconds
 */
export class Plot {
  #definition;
  #colours;
  #watcher;
  #chart = null;
  #values = element('span', { className: 'values' });
  #frame;
  #limited = []; // of each point, whether a limit was met there

  /**
   * @param {object} definition
   * @param {string} definition.label
   * @param {string} definition.unit
   * @param {number} [definition.limit] a line that must not be reached, with `limitLabel`; makes the axis logarithmic
   * @param {number} definition.least that the axis spans at the least
   * @param {boolean} [definition.times] whether the time axis has its numbers
   * @param {boolean} [definition.asked] whether there is a second curve for each: what was asked for where a limit was met
   * @param {string[]} colours of the curves, from the style sheet
   * @param {Watcher} watcher
   */
  constructor(definition, colours, watcher) {
    this.#definition = definition;
    this.#colours = colours;
    this.#watcher = watcher;
    this.#frame = element('div', { className: 'chart', role: 'img', 'aria-label': `${definition.label} over time` });
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

  get label() {
    return `${this.#definition.label}, ${this.#definition.unit}`;
  }

  /** Pixels from left to right. */
  get width() {
    return this.#frame.clientWidth;
  }

  /** What is drawn now; null: nothing. @returns {HTMLCanvasElement|null} */
  get picture() {
    return this.#chart?.ctx.canvas ?? null;
  }

  /**
   * @param {(number|null)[][]} data times, then the curves, then what was asked for
   * @param {[number, number]} window s
   * @param {boolean[]} [limited] of each point
   */
  draw(data, window, limited = []) {
    if (!this.#frame.clientWidth) return;
    if (!this.#chart) this.#chart = this.#create();
    const { clientWidth: width, clientHeight: height } = this.#frame;
    if (this.#chart.width !== width || this.#chart.height !== height) this.#chart.setSize({ width, height });
    this.#limited = limited;
    // A logarithm has no place for zeros.
    const shown = this.#definition.limit ? data.map((curve) => curve.map((value) => (value > 0 ? value : null))) : data;
    this.#chart.batch(() => {
      this.#chart.setData(shown, false);
      this.#chart.setScale('x', { min: window[0], max: window[1] });
    });
  }

  /** Puts the cursor to a time; null: away. */
  set cursor(time) {
    const chart = this.#chart;
    if (!chart) return;
    const left = time === null ? -10 : chart.valToPos(time, 'x');
    if (Math.abs(left - chart.cursor.left) > 0.5) chart.setCursor({ left, top: 0 }, false);
  }

  /**
   * The values beside the title.
   * @param {{low: number, high: number, asked?: number}[]|null} values of each curve; `asked`: where a limit was met
   */
  showValues(values) {
    const shown = values ?? this.#colours.map(() => null);
    while (this.#values.children.length > shown.length) this.#values.lastChild.remove();
    while (this.#values.children.length < shown.length) this.#values.append(element('b', {}));
    const places = this.#definition.limit ? null : decimals(Math.max(...['min', 'max'].map((end) => Math.abs(this.#chart?.scales.y[end] ?? 1))));
    const text = (value) => (places === null ? number(value) : fixed(value, places));
    shown.forEach((value, k) => {
      const place = this.#values.children[k];
      place.style.setProperty('--mark', `var(${this.#colours[k]})`);
      place.classList.toggle('limited', value?.asked !== undefined);
      place.title = value?.asked === undefined ? '' : 'limited: force on the hand, of the force that the tool requests';
      if (!value) return setText(place, '–');
      const [low, high] = [text(value.low), text(value.high)];
      const range = low === high ? high : `${low} … ${high}`;
      setText(place, value.asked === undefined ? range : `${range} of ${text(value.asked)}`);
    });
  }

  /** Another theme or size of text. */
  restyle() {
    this.#chart?.destroy();
    this.#chart = null;
  }

  #create() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${Math.round(0.72 * rem)}px ${getComputedStyle(document.body).fontFamily}`;
    const { limit, times, asked } = this.#definition;
    const axis = {
      stroke: theme.colour('--soft'),
      font,
      ticks: { show: false },
      gap: 0.35 * rem,
      grid: { stroke: theme.colour('--grid'), width: 1 },
    };
    const curve = (name, dash) => ({
      stroke: theme.colour(name),
      width: dash ? 1.2 : 1.4,
      dash,
      points: { show: false },
      spanGaps: false,
    });
    const series = [
      ...this.#colours.map((name) => curve(name)),
      ...(asked ? this.#colours.map((name) => curve(name, [4, 3])) : []),
    ];
    return new uPlot(
      {
        width: this.#frame.clientWidth,
        height: this.#frame.clientHeight,
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => this.#watcher.reset() },
        },
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
            values: (_, values) => values.map((value) => (times ? `${+value.toFixed(6)} s` : '')),
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
        series: [{}, ...series],
        hooks: {
          drawClear: [(chart) => this.#drawLimited(chart)],
          drawAxes: [(chart) => limit && this.#drawLimit(chart, font)],
          setCursor: [(chart) => this.#point(chart)],
          setSelect: [(chart) => this.#select(chart)],
        },
      },
      [[], ...series.map(() => [])],
      this.#frame,
    );
  }

  #point({ cursor: { left }, posToVal }) {
    this.#watcher.cursor(left >= 0 ? posToVal(left, 'x') : null);
  }

  #select(chart) {
    const { left, width } = chart.select;
    if (width < 3) return;
    this.#watcher.zoom([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]);
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  #range(low, high) {
    const { least } = this.#definition;
    const top = roundUp(Math.max(least, high ?? 0));
    return [low < -least / 100 ? -roundUp(-low) : 0, top];
  }

  #decades(low, high) {
    const { limit } = this.#definition;
    const bottom = low > 0 && low < 1 ? 0.1 : 1;
    return [Math.min(bottom, limit / 10), Math.max(limit * 8, (high ?? 0) * 1.3)]; // room for the line's name above it
  }

  /** Where a limit was met the background says so, behind everything. */
  #drawLimited(chart) {
    const { ctx, bbox, data } = chart;
    const times = data[0];
    if (!this.#limited.includes(true)) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.globalAlpha = 0.22;
    ctx.fillStyle = theme.colour('--warn');
    for (let i = 0; i < times.length; ++i) {
      if (!this.#limited[i]) continue;
      let end = i;
      while (this.#limited[end + 1]) ++end;
      const [from, to] = [times[i], times[end + 1] ?? times[end]].map((time) => chart.valToPos(time, 'x', true));
      ctx.fillRect(from, bbox.top, Math.max(to - from, devicePixelRatio), bbox.height);
      i = end;
    }
    ctx.restore();
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
    ctx.textBaseline = 'bottom';
    ctx.fillText(limitLabel, bbox.left + bbox.width - 2 * devicePixelRatio, y - 2 * devicePixelRatio);
    ctx.restore();
  }
}

function powers(low, high) {
  const out = [];
  for (let p = Math.ceil(Math.log10(low) - 1e-9); p <= Math.log10(high); ++p) out.push(10 ** p);
  return out;
}
