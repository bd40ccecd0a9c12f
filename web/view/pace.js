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

  /**
   * @param {WebGL2RenderingContext} context
   * @param {number} least s between two pictures; 0: no pace is kept
   */
  constructor(context, least) {
    this.#context = context;
    this.#least = 1000 * least;
  }

  /** @param {number} now ms */
  ready(now) {
    if (this.#least === 0) return true;
    if (this.#fence) {
      const done = this.#context.getSyncParameter(this.#fence, this.#context.SYNC_STATUS) === this.#context.SIGNALED;
      if (!done && !this.#context.isContextLost() && now - this.#began < 1000) return false;
      this.#context.deleteSync(this.#fence);
      this.#fence = null;
      this.#next = Math.max(this.#began + this.#least, now + Math.min(now - this.#began, 200));
    }
    return now >= this.#next;
  }

  /** A picture was just drawn. @param {number} now ms */
  drew(now) {
    if (this.#least === 0) return;
    this.#began = now;
    if (this.#fence) this.#context.deleteSync(this.#fence);
    this.#fence = this.#context.fenceSync(this.#context.SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
}
