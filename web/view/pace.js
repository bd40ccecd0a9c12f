/**
 * When the next picture may be drawn. With a graphics card always; without one only when the last is done and the
 * processor had a rest for as long as it took: the loop that computes the touch and the page itself need it too.
 */
export class Pace {
  #context;
  #least;
  #fence = null;
  #began = 0;
  #next = 0;
  #drew = false;
  #took = 0; // ms

  /**
   * @param {WebGL2RenderingContext} context
   * @param {number} least s between two pictures; 0: no pace is kept
   */
  constructor(context, least) {
    this.#context = context;
    this.#least = 1000 * least;
  }

  /** Whether the next picture may be drawn. @param {number} now ms */
  ready(now) {
    if (this.#least === 0) return true;
    this.#look(now);
    return this.#fence === null && now >= this.#next;
  }

  /** How long the last picture took, s, told once, when it is known; else 0. @param {number} now ms */
  took(now) {
    if (this.#least > 0) this.#look(now);
    else if (this.#drew) this.#took = now - this.#began; // the browser asks for the next when the card keeps up
    this.#drew = false;
    const took = this.#took;
    this.#took = 0;
    return took / 1000;
  }

  /** Whether the last picture is done. */
  #look(now) {
    if (!this.#fence) return;
    const done = this.#context.getSyncParameter(this.#fence, this.#context.SYNC_STATUS) === this.#context.SIGNALED;
    if (!done && !this.#context.isContextLost() && now - this.#began < 1000) return;
    this.#context.deleteSync(this.#fence);
    this.#fence = null;
    this.#took = now - this.#began;
    this.#next = Math.max(this.#began + this.#least, now + Math.min(this.#took, 200));
  }

  /** A picture was just drawn. @param {number} now ms */
  drew(now) {
    this.#began = now;
    this.#drew = true;
    if (this.#least === 0) return;
    if (this.#fence) this.#context.deleteSync(this.#fence);
    this.#fence = this.#context.fenceSync(this.#context.SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
}
