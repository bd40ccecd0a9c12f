const SHARES = [1, 0.85, 0.7, 0.6, 0.5]; // of the full pixel ratio
const LEAST = 0.5; // pixels for each of the page, at the least
const WINDOW = 16; // pictures by which is judged
const REST = 0.3; // s without motion, after which the picture is drawn in full
const MOTION = 4; // pictures in which something moved, after which it is one: what changes now and then stays sharp
const WAIT = 4; // s of fast pictures before it becomes finer
const RELAPSE = 6; // s in which a step back shows that the finer one was too much
const LONGEST_WAIT = 64; // s
const USELESS = 0.92; // of the time at first: if coarse pictures take that long still, it is not the pixels that cost

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * How many pixels a picture has: fewer, step by step, while pictures take too long, more again when they are fast, all
 * of them when nothing moves. It does not swing: after a finer step that had to be taken back the next try waits twice
 * as long. Where coarser pictures are not faster, it goes back to the full ones.
 */
export class Resolution {
  #slow;
  #fast;
  #step = 0;
  #taken = []; // s, of the last pictures at this step
  #fastFor = 0; // s
  #wait = WAIT;
  #sinceRise = Infinity; // s
  #stillFor = 0; // s
  #motions = 0;
  #first = null; // s: what pictures took in full
  #adapts;

  /**
   * @param {{slow: number, fast: number, adapts?: boolean}} limits s that a picture takes, above which there shall be
   *   fewer pixels, and below which there may be more
   */
  constructor({ slow, fast, adapts = true }) {
    [this.#slow, this.#fast, this.#adapts] = [slow, fast, adapts];
  }

  /** Pixels for each of the page. @param {number} full that of the finest pictures */
  ratio(full) {
    return Math.max(Math.min(full, LEAST), full * this.share);
  }

  /** Of the full ratio. */
  get share() {
    return this.#motions < MOTION ? 1 : SHARES[this.#step];
  }

  /** Lets time pass. @param {number} dt s @param {boolean} moves whether something moves in the picture */
  pass(dt, moves) {
    this.#stillFor = moves ? 0 : this.#stillFor + dt;
    this.#sinceRise += dt;
    if (moves) ++this.#motions;
    else if (this.#stillFor >= REST) this.#motions = 0;
  }

  /** A picture of something that moves took so long. @param {number} seconds */
  drew(seconds) {
    if (!this.#adapts || this.#motions < MOTION || !(seconds > 0 && seconds < 1)) return; // longer: it was hidden
    this.#taken.push(seconds);
    if (this.#taken.length > WINDOW) this.#taken.shift();
    const usual = median(this.#taken);
    this.#fastFor = usual < this.#fast ? this.#fastFor + seconds : 0;
    if (this.#taken.length < WINDOW) return;
    if (usual > this.#slow) this.#coarser(usual);
    else if (this.#step > 0 && this.#fastFor >= this.#wait) this.#finer();
  }

  #coarser(usual) {
    if (this.#step === 0) this.#first = usual;
    if (this.#sinceRise < RELAPSE) this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    if (this.#step < SHARES.length - 1) {
      this.#go(this.#step + 1);
    } else if (usual > USELESS * this.#first) {
      this.#slow *= 1.5; // as many pictures as there will be
      this.#go(0);
    }
  }

  #finer() {
    this.#sinceRise = 0;
    this.#go(this.#step - 1);
  }

  #go(step) {
    this.#step = step;
    this.#taken = [];
    this.#fastFor = 0;
  }
}
