import { SurfaceMarks } from '../../view/surface_marks.js';
import { SurfacePointer } from '../../view/surface_pointer.js';
import { Choice } from '../widgets/choice.js';
import { ClipPanel } from './clip.js';
import { element } from '../widgets/element.js';
import { ExportPanel } from './export.js';
import { byFingers } from '../widgets/fingers.js';
import { MeasurePanel } from './measure.js';
import { ProbePanel } from './probe.js';
import { foldedSection } from '../widgets/section.js';

const PACE = 120; // ms
const HINTS = {
  mouse: {
    distance: 'Click two places on bodies. A drag turns the view; Escape ends.',
    angle: 'Click three places; the angle is measured at the second. Escape ends.',
    probe: 'Point at a body; a click pins the values there. Escape ends.',
  },
  fingers: {
    distance: 'Tap two places on bodies. A drag turns the view.',
    angle: 'Tap three places; the angle is measured at the second.',
    probe: 'Tap a body to pin the values there.',
  },
};

/** What one looks closer with: a cut, measures, probes, and what is taken along. */
export class LookCloser {
  #pointer;
  #tools;
  #choice;
  #hint = element('p', { className: 'soft small', hidden: true });
  #scene = null;

  constructor(page) {
    const { view, hand } = page;
    const marks = new SurfaceMarks(view);
    this.cut = new ClipPanel(page);
    this.measure = new MeasurePanel(page, marks);
    this.probe = new ProbePanel(page, marks);
    this.output = new ExportPanel(page);
    this.#pointer = new SurfacePointer(view);
    this.#tools = {
      distance: this.measure.tool('distance'),
      angle: this.measure.tool('angle'),
      probe: this.probe.tool,
    };
    this.#choice = new Choice(
      'What a click does',
      [
        { id: 'touch', label: 'Touch', hint: 'Clicks touch the bodies' },
        { id: 'distance', label: 'Length', hint: 'Two clicks measure a distance (M)' },
        { id: 'angle', label: 'Angle', hint: 'Three clicks measure an angle (A)' },
        { id: 'probe', label: 'Probe', hint: 'Values at a place (Q)' },
      ],
      (id) => this.#begin(id),
    );
    this.#pointer.addEventListener('change', () => {
      if (this.#pointer.name) hand.letGo();
      this.measure.cancel();
      this.#show();
    });
    view.addEventListener('load', () => this.#loaded(view.world));
    this.element = foldedSection(
      'Look closer',
      this.cut.element,
      element(
        'div',
        { className: 'stack', role: 'group', 'aria-label': 'Measure' },
        element('h3', {}, 'Measure'),
        this.#choice.element,
        this.#hint,
        this.measure.element,
        this.probe.element,
      ),
      this.output.element,
    );
    this.element.classList.add('look-closer');
    this.#show();
    this.#update();
    setInterval(() => this.#update(), PACE);
  }

  /** What lies over the view. */
  get card() {
    return this.probe.card;
  }

  /** Keys of the page. @returns {import('../shortcuts.js').Shortcut[]} */
  get shortcuts() {
    return [
      { key: 'c', what: 'cut the bodies: x, y, z, free, whole', act: () => this.cut.next() },
      { key: 'm', what: 'measure distances, on or off', act: () => this.#toggle('distance') },
      { key: 'a', what: 'measure angles, on or off', act: () => this.#toggle('angle') },
      { key: 'q', what: 'probe values, on or off', act: () => this.#toggle('probe') },
      { key: 'w', what: 'start or stop a video', act: () => this.output.toggleVideo() },
      { key: 'e', what: 'save the bodies as glTF', act: () => this.output.saveShape() },
    ];
  }

  /** Ends measuring or probing; false where there is none. */
  escape() {
    if (!this.#pointer.name) return false;
    this.#begin('touch');
    return true;
  }

  frame({ time }) {
    this.probe.frame(time);
  }

  #toggle(id) {
    this.#begin(this.#pointer.name === id ? 'touch' : id);
    if (this.#pointer.name) this.element.open = true;
  }

  #begin(id) {
    this.#pointer.begin(this.#tools[id] ?? null);
  }

  /** Places on bodies are kept where the same scene starts anew. */
  #loaded(world) {
    if (!world || world.name === this.#scene) return;
    this.#scene = world.name;
    this.escape();
    this.measure.clear();
    this.probe.clear();
  }

  #show() {
    const { name } = this.#pointer;
    this.#choice.value = name ?? 'touch';
    this.#hint.hidden = name === null;
    this.#hint.textContent = HINTS[byFingers() ? 'fingers' : 'mouse'][name] ?? '';
  }

  #update() {
    this.measure.show();
    this.probe.show();
    this.output.show();
  }
}
