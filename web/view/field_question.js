import { encodeAsk } from '../protocol/protocol.js';

const TIMEOUT = 3; // s, after which a question is asked again
const PACE = 0.25; // s between questions about a field that deforms

let asked = 0; // questions of this page

/** Asks the program about a body's distance field, one question at a time, and again while the field deforms. */
export class FieldQuestion {
  #view;
  #what = null; // {body, what, value}
  #waits = 0; // number of the question that is on its way; 0: none
  #since = 0; // s since that was asked, or answered
  #stale = false;

  /** @param {import('./view.js').View} view */
  constructor(view) {
    this.#view = view;
  }

  /** @param {{body: number, what: number, value: number}|null} what null: nothing any more */
  ask(what) {
    const same = what && this.#what && ['body', 'what', 'value'].every((key) => what[key] === this.#what[key]);
    if (same) return;
    this.#what = what;
    this.#stale = what !== null;
    this.#next();
  }

  /** Whether a message answers the last question. */
  takes(message) {
    if (message.number !== this.#waits) return false;
    this.#waits = 0;
    this.#since = 0;
    this.#next();
    return this.#what?.body === message.body;
  }

  /** A frame came: what deforms is another one now. */
  moved() {
    if (this.#what && this.#view.world.bodies[this.#what.body]?.field?.deforms) this.#stale = true;
  }

  /** @param {number} dt s */
  pass(dt) {
    this.#since += dt;
    if (this.#waits !== 0 && this.#since > TIMEOUT) this.#waits = 0;
    if (this.#since > PACE) this.#next();
  }

  #next() {
    if (!this.#stale || this.#waits !== 0) return;
    this.#stale = false;
    this.#waits = ++asked;
    this.#since = 0;
    this.#view.send(encodeAsk({ ...this.#what, number: this.#waits }));
  }
}
