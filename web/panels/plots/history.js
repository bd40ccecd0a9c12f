/** What a tick has: places in its numbers, those of a tool after those of the tools before. */
export const CHANNEL = Object.freeze({ time: 0, lateness: 1, force: 2, penetration: 3, energy: 4, asked: 5, limited: 6 });
const TICK = 2; // numbers of a tick without those of its tools
const TOOL = 5; // of a tool

/** Stretches of so many ticks, of which so many are kept: 20 s, 2 min, 35 min and 9 h at 1 kHz. */
const LEVELS = [
  { ticks: 1, count: 20000 },
  { ticks: 16, count: 8192 },
  { ticks: 256, count: 8192 },
  { ticks: 4096, count: 8192 },
];
const RATE = 1000; // Hz, that they are meant for

/** Where a channel of a tool is in a tick's numbers. */
export function place(channel, tool) {
  return channel < TICK ? channel : channel + TOOL * tool;
}

/** The last stretches of one length: the least, the greatest and the first of each number. */
class Level {
  /** @param {number} ticks of a stretch @param {number} count of stretches @param {number} stride numbers */
  constructor(ticks, count, stride) {
    Object.assign(this, { ticks, count, stride });
    this.numbers = new Float64Array(count).fill(-1); // which stretch each place holds
    [this.low, this.high, this.first] = [0, 1, 2].map(() => new Float32Array(count * stride));
  }

  /** Where a stretch is; -1: it is not there. */
  find(number) {
    const at = number % this.count;
    return this.numbers[at] === number ? at * this.stride : -1;
  }

  add(tick, values) {
    const number = Math.floor(tick / this.ticks);
    const at = number % this.count;
    const to = at * this.stride;
    if (this.numbers[at] !== number) {
      this.numbers[at] = number;
      for (const array of [this.low, this.high, this.first]) array.set(values, to);
      return;
    }
    for (let k = 0; k < this.stride; ++k) {
      if (values[k] < this.low[to + k]) this.low[to + k] = values[k];
      else if (values[k] > this.high[to + k]) this.high[to + k] = values[k];
    }
  }
}

/**
 * What every tick measured: the last seconds tick by tick, what is older as the least and the greatest of stretches, longer
 * ones the older they are. So memory is bounded however long a world runs. Stretches without a tick are gaps. A stretch is
 * found by its ticks, so that a replay may jump in time.
 */
export class History {
  #rate;
  #tools;
  #levels;
  #now; // numbers of the tick that was added last
  #first = Infinity; // ticks, the least and the greatest that came, and the one that came last
  #greatest = -1;
  #last = -1;

  /** @param {number} rate Hz @param {number} tools */
  constructor(rate, tools) {
    const base = Math.max(1, Math.round(rate / RATE));
    this.#rate = rate;
    this.#tools = tools;
    this.#now = new Float32Array(TICK + TOOL * tools);
    this.#levels = LEVELS.map(({ ticks, count }) => new Level(base * ticks, count, this.#now.length));
  }

  clear() {
    for (const level of this.#levels) level.numbers.fill(-1);
    [this.#first, this.#greatest, this.#last] = [Infinity, -1, -1];
  }

  /** @param {import('../../protocol/frame.js').Trace[]} traces */
  add(traces) {
    const now = this.#now;
    for (const { first, ticks, tools, stride, values } of traces) {
      if (tools !== this.#tools) continue;
      for (let i = 0; i < ticks; ++i) {
        const tick = first + i;
        for (let k = 0; k < TICK; ++k) now[k] = values[i * stride + k];
        for (let tool = 0; tool < tools; ++tool) {
          const [from, to] = [i * stride + TICK + 4 * tool, TICK + TOOL * tool];
          for (let k = 0; k < 3; ++k) now[to + k] = values[from + k];
          const limited = values[from + 3] >= 0;
          now[to + 3] = limited ? values[from + 3] : values[from];
          now[to + 4] = limited ? 1 : 0;
        }
        for (const level of this.#levels) level.add(tick, now);
        this.#first = Math.min(this.#first, tick);
        this.#greatest = Math.max(this.#greatest, tick);
        this.#last = tick;
      }
    }
  }

  /** From the first tick that is known to the one that came last, s; null: none came. @returns {[number, number]|null} */
  get extent() {
    return this.#last < 0 ? null : [this.#first / this.#rate, this.#last / this.#rate];
  }

  /** The numbers of the last tick. @returns {{low: Float32Array, high: Float32Array}|null} */
  get latest() {
    return this.#last < 0 ? null : { low: this.#now, high: this.#now };
  }

  /** The numbers at a time, of the tick itself or else of the shortest stretch that is kept. @returns like `latest` */
  at(time) {
    for (const level of this.#levels) {
      const from = level.find(Math.floor((time * this.#rate + 1e-6) / level.ticks));
      if (from < 0) continue;
      return { low: level.low.subarray(from, from + level.stride), high: level.high.subarray(from, from + level.stride) };
    }
    return null;
  }

  /** The shortest stretches that go back to a time. */
  #reaching(from) {
    const reaches = ({ ticks, count }) => (Math.floor(this.#greatest / ticks) - count + 1) * ticks <= from * this.#rate;
    return Math.max(0, this.#levels.findIndex(reaches));
  }

  /**
   * Curves between two times.
   * @param {number} from s
   * @param {number} to s
   * @param {number[]} places of the numbers
   * @param {number} [most] stretches that are about as many as one can see: more are put together
   * @returns {{times: number[], low: (number|null)[][], high: (number|null)[][], first: (number|null)[][], seconds: number}}
   *   when each stretch begins, and for each place the least, greatest and first of each; null: a gap
   */
  stretches(from, to, places, most = Infinity) {
    let at = this.#reaching(from);
    const wanted = ((to - from) * this.#rate) / most; // ticks
    while (at + 1 < this.#levels.length && this.#levels[at + 1].ticks <= wanted) ++at;
    const level = this.#levels[at];
    const group = Math.max(1, Math.round(wanted / level.ticks));
    const ticks = group * level.ticks;
    const out = { times: [], low: [], high: [], first: [], seconds: ticks / this.#rate };
    for (const part of ['low', 'high', 'first']) out[part] = places.map(() => []);
    const end = Math.min(Math.floor((to * this.#rate) / ticks), Math.floor(this.#greatest / ticks));
    const begin = Math.max(0, Math.floor(Math.max(from * this.#rate, this.#first) / ticks));
    for (let number = begin; number <= end; ++number) {
      out.times.push((number * ticks) / this.#rate);
      places.forEach((channel, k) => {
        let [low, high, first] = [null, null, null];
        for (let part = 0; part < group; ++part) {
          const found = level.find(number * group + part);
          if (found < 0) continue;
          const here = found + channel;
          low = low === null ? level.low[here] : Math.min(low, level.low[here]);
          high = high === null ? level.high[here] : Math.max(high, level.high[here]);
          first ??= level.first[here];
        }
        out.low[k].push(low);
        out.high[k].push(high);
        out.first[k].push(first);
      });
    }
    return out;
  }

  /** Whether `stretches` of all that is kept between two times are single ticks. */
  whole(from) {
    return this.#levels[this.#reaching(from)].ticks === 1;
  }
}

/**
 * Curves through stretches, two points each: the end that was nearer to the beginning first, so that slopes stay smooth.
 * @param {ReturnType<History['stretches']>} stretches
 * @param {number} factor from SI to what is shown
 * @returns {(number|null)[][]} times, then one array for each place
 */
export function curvesThrough({ times, low, high, first, seconds }, factor) {
  const x = times.flatMap((time) => [time + 0.25 * seconds, time + 0.75 * seconds]);
  return [
    x,
    ...low.map((least, k) =>
      least.flatMap((bottom, i) => {
        if (bottom === null) return [null, null];
        const [down, up] = [bottom * factor, high[k][i] * factor];
        return first[k][i] - bottom < high[k][i] - first[k][i] ? [down, up] : [up, down];
      }),
    ),
  ];
}
