/**
 * What is looked at of a scene: bodies may be hidden or seen through, and one thing may be selected, a body, a tool or a contact.
 * Events: `change`.
 *
 * @typedef {{kind: 'body'|'tool'|'pair', index: number}} Thing
 */
export class Selection extends EventTarget {
  #view;
  /** @type {Thing|null} */
  #thing = null;

  /** @param {import('../view/view.js').View} view */
  constructor(view) {
    super();
    this.#view = view;
    view.addEventListener('load', () => {
      this.#thing = null;
      this.#changed();
    });
    // Before a hand takes the pointer: Alt and a click select, here and nowhere else.
    view.controls.claims.unshift((event) => {
      if (event.type !== 'pointerdown' || !event.altKey || event.button !== 0) return false;
      this.#pick(event);
      return true;
    });
    view.element.addEventListener('dblclick', (event) => !event.altKey && view.pointing === null && this.#pick(event));
  }

  #pick({ offsetX, offsetY }) {
    const hit = this.#view.pick(offsetX, offsetY, { reach: 4 });
    this.select(hit ? { kind: 'body', index: hit.body } : null);
  }

  get thing() {
    return this.#thing;
  }

  /** @param {Thing|null} thing */
  select(thing) {
    for (const body of this.#bodies(this.#thing)) this.#view.setBodyLook(body, { selected: false });
    this.#thing = thing;
    for (const body of this.#bodies(thing)) this.#view.setBodyLook(body, { selected: true });
    this.#changed();
  }

  /** Bodies that a thing is about. */
  #bodies(thing) {
    const scene = this.#view.world;
    if (!scene || !thing) return [];
    if (thing.kind === 'body') return [thing.index];
    if (thing.kind === 'pair') return [scene.pairs[thing.index].points, scene.pairs[thing.index].field];
    const held = scene.tools[thing.index].body;
    return Number.isInteger(held) ? [held] : [];
  }

  /** @returns {'shown'|'pale'|'hidden'} */
  look(body) {
    const { visible, pale } = this.#view.looks.get(body);
    return visible ? (pale ? 'pale' : 'shown') : 'hidden';
  }

  /** @param {number} body @param {'shown'|'pale'|'hidden'} look */
  setLook(body, look) {
    this.#view.setBodyLook(body, { visible: look !== 'hidden', pale: look === 'pale' });
    this.#changed();
  }

  /** Whether a body is the only one that is shown. */
  isAlone(body) {
    return this.#every((index) => (this.look(index) === 'hidden') === (index !== body));
  }

  /** Shows a body and hides all others. */
  showAlone(body) {
    for (let index = 0; index < this.#count; ++index) this.#view.setBodyLook(index, { visible: index === body });
    this.#changed();
  }

  /** Whether all are shown as they are. */
  get isPlain() {
    return this.#every((body) => this.look(body) === 'shown');
  }

  showAll() {
    for (let body = 0; body < this.#count; ++body) this.#view.setBodyLook(body, { visible: true, pale: false });
    this.#changed();
  }

  get #count() {
    return this.#view.world?.bodies.length ?? 0;
  }

  #every(holds) {
    for (let body = 0; body < this.#count; ++body) if (!holds(body)) return false;
    return true;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
