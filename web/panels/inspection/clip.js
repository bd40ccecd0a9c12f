import { ClipHandle } from '../../view/clip_handle.js';
import { button } from '../widgets/button.js';
import { Choice } from '../widgets/choice.js';
import { element, newId, setText } from '../widgets/element.js';
import { fixed } from '../../text/quantity.js';

const CUT_COLOUR = '#d9a32b';
const STEPS = 400;
const degrees = (rad) => (180 * rad) / Math.PI;
const key = (scene) => `tactus.cut.${scene}`;

/** A slider with its label and what it says. */
class Slider {
  #input;
  #text = element('output', {});

  /** @param {string} label @param {() => [number, number]} range @param {(value: number) => void} take */
  constructor(label, range, take) {
    this.range = range;
    const id = newId();
    const oninput = () => {
      const [least, most] = range();
      take(least + ((most - least) * this.#input.value) / STEPS);
    };
    this.#input = element('input', { type: 'range', id, min: 0, max: STEPS, step: 1, oninput });
    const head = element('div', { className: 'row' }, element('label', { htmlFor: id }, label), this.#text);
    this.element = element('div', {}, head, this.#input);
  }

  show(value, text) {
    const [least, most] = this.range();
    this.#input.value = Math.round((STEPS * (value - least)) / (most - least));
    setText(this.#text, text);
    this.#input.setAttribute('aria-valuetext', text);
  }
}

/** Cuts the bodies open with a plane: across an axis or free, shifted and flipped, and remembered for each scene. */
export class ClipPanel {
  #view;
  #choice;
  #place;
  #turn;
  #tilt;
  #more;
  #free;

  constructor({ view }) {
    this.#view = view;
    const { clip } = view;
    new ClipHandle(view);
    const option = (id, label, hint) => ({ id, label, hint });
    this.#choice = new Choice(
      'Cut',
      [
        option('off', 'Whole', 'No cut'),
        ...['x', 'y', 'z'].map((axis) => option(axis, axis, `Cut across ${axis}`)),
        option('free', 'Free', 'Cut facing the camera; drag its handle to turn it'),
      ],
      (id) => this.choose(id),
    );
    const angle = (least, most) => () => [least * Math.PI, most * Math.PI];
    this.#place = new Slider('Place', () => clip.range, (place) => clip.set({ place }));
    this.#turn = new Slider('Turn', angle(-1, 1), (turn) => clip.set({ turn }));
    this.#tilt = new Slider('Tilt', angle(-0.5, 0.5), (tilt) => clip.set({ tilt }));
    const small = { wide: true, className: 'outlined' };
    this.#free = element('div', { className: 'stack' }, this.#turn.element, this.#tilt.element);
    const facing = button('Face me', 'camera', () => this.#faceMe(), small);
    this.#more = element(
      'div',
      { className: 'stack' },
      this.#place.element,
      this.#free,
      element('div', { className: 'group' }, button('Flip', 'undo', () => clip.set({ flipped: !clip.flipped }), small), facing),
    );
    this.element = element('div', { className: 'stack', role: 'group', 'aria-label': 'Cut' });
    this.element.append(element('h3', {}, 'Cut'), this.#choice.element, this.#more);
    clip.addEventListener('change', () => this.#show());
    view.addEventListener('load', () => this.#recall());
    this.#show();
  }

  get #clip() {
    return this.#view.clip;
  }

  /** @param {'off'|'x'|'y'|'z'|'free'} across */
  choose(across) {
    if (!this.#view.world) return;
    if (across === 'off') this.#clip.set({ on: false });
    else if (across === 'free') this.#faceMe();
    else {
      this.#clip.set({ on: true, across });
      // What is nearer to who looks is cut off.
      const { normal, place } = this.#clip;
      this.#clip.set({ flipped: normal.dot(this.#view.camera.position) < place });
    }
    this.#keep();
  }

  /** The next of whole, x, y, z and free, for the keyboard. */
  next() {
    const order = ['off', 'x', 'y', 'z', 'free'];
    this.choose(order[(order.indexOf(this.#chosen) + 1) % order.length]);
  }

  get #chosen() {
    return this.#clip.on ? this.#clip.across : 'off';
  }

  #faceMe() {
    this.#clip.face(this.#view.camera.position.clone().sub(this.#view.centre));
    this.#clip.set({ on: true });
  }

  #keep() {
    const { world } = this.#view;
    if (world) localStorage.setItem(key(world.name), JSON.stringify(this.#clip.choice));
  }

  #recall() {
    const { world } = this.#view;
    if (!world) return;
    try {
      const kept = JSON.parse(localStorage.getItem(key(world.name)));
      if (!kept) return;
      this.#clip.set({ across: kept.across, turn: kept.turn, tilt: kept.tilt });
      this.#clip.set(kept);
    } catch {
      localStorage.removeItem(key(world.name)); // it says nothing
    }
  }

  #show() {
    const { on, across, place, turn, tilt } = this.#clip;
    this.#choice.value = this.#chosen;
    this.#more.hidden = !on;
    this.#free.hidden = across !== 'free';
    const text = `${fixed(1000 * place, 1)} mm`;
    this.#place.show(place, text);
    this.#turn.show(turn, `${fixed(degrees(turn), 0)}°`);
    this.#tilt.show(tilt, `${fixed(degrees(tilt), 0)}°`);
    const where = across === 'free' ? `${text} along its normal` : `${across} = ${text}`;
    this.#view.legend('clip', on ? { label: 'Cut', swatches: [{ colour: CUT_COLOUR, text: where }] } : null);
    this.#view.element.dataset.cut = on ? where : '';
    if (this.#view.world && on) this.#keep();
  }
}
