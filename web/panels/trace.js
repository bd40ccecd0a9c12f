const span = 10; // s that are kept
const buckets = 500; // in that time: finer than a curve's pixels

/**
 * The last seconds of what every tick measured, as the least and the greatest of short stretches. Stretches without a
 * tick are gaps. A stretch is found by its ticks, so that a replay may jump in time.
 */
export class Trace {
  #rate;
  #width; // ticks of a stretch
  #stride;
  #numbers; // which stretch each bucket holds
  #low;
  #high;
  #first;

  /** @param {number} rate Hz @param {number} tools */
  constructor(rate, tools) {
    this.#rate = rate;
    this.#width = Math.max(1, Math.ceil((span * rate) / buckets));
    this.#stride = 2 + 3 * tools;
    this.#numbers = new Float64Array(buckets);
    [this.#low, this.#high, this.#first] = [0, 1, 2].map(() => new Float32Array(buckets * this.#stride));
    this.clear();
  }

  clear() {
    this.#numbers.fill(-1);
  }

  /** @param {import('../protocol.js').Trace} trace */
  add(trace) {
    const stride = this.#stride;
    if (trace.stride !== stride) return;
    for (let i = 0; i < trace.ticks; ++i) {
      const number = Math.floor((trace.first + i) / this.#width);
      const bucket = number % buckets;
      const from = i * stride;
      const to = bucket * stride;
      if (this.#numbers[bucket] !== number) {
        this.#numbers[bucket] = number;
        for (const array of [this.#low, this.#high, this.#first])
          array.set(trace.values.subarray(from, from + stride), to);
        continue;
      }
      for (let k = 0; k < stride; ++k) {
        const value = trace.values[from + k];
        if (value < this.#low[to + k]) this.#low[to + k] = value;
        else if (value > this.#high[to + k]) this.#high[to + k] = value;
      }
    }
  }

  /** The span that ends at a time, or the first one. @returns {[number, number]} s */
  window(time) {
    return [Math.max(0, time - span), Math.max(span, time)];
  }

  /**
   * Curves for a window that ends at `time`: two points for a stretch.
   * @param {number} time s
   * @param {number[]} channels places in a tick's numbers
   * @param {number} factor from SI to what is shown
   * @returns {(number|null)[][]} times, then one array for each channel
   */
  curves(time, channels, factor) {
    const seconds = this.#width / this.#rate;
    const [from, to] = this.window(time);
    const last = Math.floor(Math.min(time, to) / seconds);
    const out = [[], ...channels.map(() => [])];
    for (let number = Math.max(0, Math.ceil(from / seconds), last - buckets + 1); number <= last; ++number) {
      const bucket = number % buckets;
      const there = this.#numbers[bucket] === number;
      out[0].push((number + 0.25) * seconds, (number + 0.75) * seconds);
      channels.forEach((channel, k) => {
        if (!there) return out[k + 1].push(null, null);
        const at = bucket * this.#stride + channel;
        const [low, high] = [this.#low[at] * factor, this.#high[at] * factor];
        // The end that was nearer to the beginning comes first: slopes stay smooth.
        if (this.#first[at] - this.#low[at] < this.#high[at] - this.#first[at]) out[k + 1].push(low, high);
        else out[k + 1].push(high, low);
      });
    }
    return out;
  }
}
