/** Seconds in which a scale that is no longer filled shrinks by a factor of e, after it was full. */
const FALL = 5;
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next round number at or above a positive one. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (STEPS.find((step) => step * power >= value * (1 - 1e-9)) ?? 10);
}

/** The maximum of a scale that does not flicker: it rises at once, to a round number, and falls slowly. */
export class SteadyScale {
  #peak = 0;
  #least;

  /** @param {number} least the maximum is never smaller */
  constructor(least = 1e-9) {
    this.hold = false;
    this.reset(least);
  }

  reset(least) {
    this.#least = least;
    this.#peak = 0;
    this.most = roundUp(least); // what labels say
    this.shown = this.most; // glides down to it
  }

  /** @returns {boolean} whether it rose */
  offer(value) {
    if (!(value > this.#peak)) return false;
    this.#peak = value;
    if (value <= this.most) return false;
    this.most = roundUp(value);
    this.shown = this.most;
    return true;
  }

  /**
   * Lets time pass.
   * @param {number} dt s
   * @param {number} value what is there now
   * @returns {boolean} whether it changed
   */
  pass(dt, value) {
    if (this.hold) return false;
    this.#peak = Math.max(value, this.#peak * Math.exp(-dt / FALL));
    const most = roundUp(Math.max(this.#peak, this.#least));
    // A step down only when it stays well below: no hopping between two steps.
    if (most < this.most && 1.1 * this.#peak < most) this.most = most;
    if (this.shown === this.most) return false;
    this.shown = this.most + (this.shown - this.most) * Math.exp(-dt / 0.15);
    if (Math.abs(this.shown - this.most) < 1e-3 * this.most) this.shown = this.most;
    return true;
  }
}
