import { COMMAND } from '../protocol/protocol.js';
import { Choice } from './widgets/choice.js';
import { element, newId, setText } from './widgets/element.js';
import { byFingers, onPointing } from './widgets/fingers.js';
import { section } from './widgets/section.js';
import { Switch } from './widgets/switch.js';
import { toolColour } from './widgets/theme.js';

const HOLDS = {
  mouse:
    'Drag the held body to move it; with the right button or Shift to turn it. ' +
    'While you drag, the wheel moves it farther or nearer, or rolls it. When released, it stays.',
  fingers: 'Drag the held body to move it; a second finger turns it. When released, it stays.',
};

/** What the pointer does to the scene: which tool it leads, how, and how deep. */
export class HandPanel {
  #hand;
  #demo;
  #tools = element('div', { className: 'chips', role: 'radiogroup', 'aria-label': 'Tool' });
  #mode;
  #depth;
  #depthText = element('output', {});
  #follow;
  #view;
  #touches; // what concerns tools that touch at a point
  #holds = element('p', { className: 'soft small' });
  #reason;
  #names = '';
  #inputs = [];

  constructor({ connection, hand, view }) {
    this.#view = view;
    this.#hand = hand;
    this.#demo = new Switch(
      "Play the scene's simulated hand",
      (on) => connection.command(COMMAND.demo, { value: on ? 1 : 0 }),
      'The scene moves its tools until you touch',
    );
    this.#mode = new Choice(
      'What the hand does',
      [
        { id: 'push', label: 'Push', icon: 'push', hint: 'Press into the body where the pointer is' },
        { id: 'pull', label: 'Pull', icon: 'pull', hint: 'Grab the surface and drag it' },
        { id: 'carry', label: 'Carry', icon: 'carry', hint: 'Move the tool freely, across the view' },
      ],
      (mode) => (hand.mode = mode),
    );
    const id = newId();
    const reason = newId();
    this.#reason = element('p', { className: 'soft small', id: reason, hidden: true });
    this.#depth = element('input', {
      type: 'range',
      id,
      min: 0,
      max: 1,
      step: 0.01,
      'aria-describedby': reason,
      oninput: () => (hand.depth = this.#deepest * this.#depth.value ** 2), // finer where presses are shallow
    });
    this.#follow = new Switch(
      'Follow the surface',
      (on) => (hand.follow = on),
      'A drag keeps its depth below the surface; otherwise it stays in a plane',
    );
    this.#touches = element(
      'div',
      { className: 'stack' },
      this.#mode.element,
      element(
        'div',
        {},
        element('div', { className: 'row' }, element('label', { htmlFor: id }, 'Press depth'), this.#depthText),
        this.#depth,
      ),
      this.#reason,
      this.#follow.element,
    );
    this.element = section('Hand', this.#demo.element, this.#tools, this.#touches, this.#holds);
    hand.addEventListener('change', () => this.#showHand());
    onPointing(() => this.#showHand());
    this.#showHand();
  }

  state(state) {
    this.#hand.enabled = state.phase === 'running';
    this.element.hidden = state.phase === 'replaying';
    this.#demo.checked = state.demo;
    const tools = state.scene?.tools ?? [];
    const names = JSON.stringify(tools.map((tool) => [tool.name, tool.pointer]));
    if (names === this.#names) return;
    this.#names = names;
    if (!tools[this.#hand.tool]?.pointer)
      this.#hand.tool = Math.max(
        0,
        tools.findIndex((tool) => tool.pointer),
      );
    const group = newId();
    this.#inputs = tools.map((tool, index) =>
      element('input', {
        type: 'radio',
        name: group,
        disabled: !tool.pointer,
        onchange: () => (this.#hand.tool = index),
      }),
    );
    this.#tools.replaceChildren(
      ...tools.map((tool, index) =>
        element(
          'label',
          {
            className: 'chip',
            title: tool.pointer ? `${tool.name} (${index + 1})` : `${tool.name} is controlled by its device`,
          },
          this.#inputs[index],
          element('i', { className: 'dot', style: `color: var(${toolColour(index)})` }),
          element('span', {}, tool.name),
        ),
      ),
    );
    this.#tools.hidden = tools.length < 2;
    this.#showHand();
  }

  /** Leads another tool; false where there is none or it belongs to a device. */
  choose(index) {
    if (!this.#inputs[index] || this.#inputs[index].disabled) return false;
    this.#hand.tool = index;
    this.#showHand();
    return true;
  }

  /** The deepest press that the hand allows, m. */
  get #deepest() {
    return 0.5 * this.#view.radius;
  }

  #showHand() {
    const holds = Number.isInteger(this.#view.world?.tools[this.#hand.tool]?.body);
    this.#touches.hidden = holds;
    this.#holds.hidden = !holds;
    this.#mode.value = this.#hand.mode;
    this.#showReason();
    this.#follow.checked = this.#hand.follow;
    this.#inputs.forEach((input, index) => (input.checked = index === this.#hand.tool));
    this.#depth.value = Math.sqrt(this.#hand.depth / this.#deepest);
    const text = `${(this.#hand.depth * 1000).toFixed(1)} mm`;
    setText(this.#depthText, text);
    this.#depth.setAttribute('aria-valuetext', text);
  }

  /** Only a push has a depth and a surface to follow. */
  #showReason() {
    const fingers = byFingers();
    setText(this.#holds, fingers ? HOLDS.fingers : HOLDS.mouse);
    const pushes = this.#hand.mode === 'push';
    const what = this.#hand.mode === 'pull' ? 'pull' : 'carry';
    const how = fingers ? 'a second finger moves it farther and nearer' : 'the wheel moves it farther and nearer';
    const reason = pushes ? '' : `Only a push has a depth. While you ${what}, ${how}.`;
    this.#depth.disabled = !pushes;
    this.#depth.title = reason;
    this.#follow.reason = pushes ? '' : 'Only a push follows the surface';
    this.#reason.hidden = pushes;
    setText(this.#reason, reason);
  }
}
