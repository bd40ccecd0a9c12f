import { CONTACT } from '../protocol/protocol.js';
import { element, setText } from './widgets/element.js';
import { loadText } from '../text/load_text.js';
import { number, quantity } from '../text/quantity.js';
import { numberText } from './body_numbers.js';

const pace = 250; // ms
const states = { [CONTACT.sticks]: 'sticks', [CONTACT.slides]: 'slides', [CONTACT.grabbed]: 'grabbed' };
const count = (value) => value.toLocaleString('en');
const percent = (share) => `${number(100 * share, 2)} %`;

/**
 * What is known of a body, tool or contact, and how it is now. A row is a label and a text; none where the text is null.
 */
export class Properties {
  #page;
  #thing = null;
  #frame = { bodyNumbers: new Map(), loads: new Map(), pairs: new Map(), limits: null };
  element = element('dl', { className: 'numbers', 'aria-label': 'Properties' });

  constructor(page) {
    this.#page = page;
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    if (!state.scene) for (const part of ['bodyNumbers', 'loads', 'pairs']) this.#frame[part].clear();
    this.#show();
  }

  frame({ bodyNumbers, loads, pairs, limits }) {
    for (const { body, values } of bodyNumbers) this.#frame.bodyNumbers.set(body, values);
    for (const load of loads) this.#frame.loads.set(load.body, load);
    for (const pair of pairs) this.#frame.pairs.set(pair.pair, pair);
    if (limits) this.#frame.limits = limits;
  }

  /** @param {import('./selection.js').Thing|null} thing */
  show(thing) {
    this.#thing = thing;
    this.#show();
  }

  #show() {
    const { scene } = this.#page.state;
    this.element.hidden = !this.#thing || !scene;
    if (this.element.hidden) return;
    const { kind, index } = this.#thing;
    const of = { body: () => this.#body(scene, index), tool: () => this.#tool(scene, index), pair: () => this.#pair(scene, index) };
    const rows = of[kind]().filter(([, text]) => text !== null && text !== undefined);
    while (this.element.children.length > 2 * rows.length) this.element.lastChild.remove();
    while (this.element.children.length < 2 * rows.length) this.element.append(element('dt'), element('dd'));
    rows.forEach(([label, text, mark = ''], k) => {
      setText(this.element.children[2 * k], label);
      setText(this.element.children[2 * k + 1], text);
      this.element.children[2 * k + 1].className = mark;
    });
  }

  #body(scene, index) {
    const body = scene.bodies[index];
    if (!body) return [];
    const moved = this.#page.view.surface(index)?.largest;
    const touching = this.#page.view.tools.flatMap((tool, k) =>
      tool.state !== CONTACT.none && tool.body === index ? [scene.tools[k]?.name] : [],
    );
    const [load, numbers, estimate] = [this.#frame.loads.get(index), this.#frame.bodyNumbers.get(index), this.#frame.limits?.errorEstimates[index]];
    return [
      ['Kind', body.method],
      ['Vertices', count(body.vertices)],
      ['Triangles', count(body.triangles)],
      ['Held vertices', body.fixed > 0 ? count(body.fixed) : null],
      ["Young's modulus", body.young > 0 ? quantity(body.young, 'Pa') : null],
      ["Poisson's ratio", body.young > 0 ? number(body.poisson) : null],
      ['Mask', body.mask > 0 ? quantity(body.mask, 'm') : null],
      ['Coordinates', body.coordinates > 0 ? count(body.coordinates) : null],
      ['Moves as a whole', body.free ? 'yes' : null],
      ['Held by', Number.isInteger(body.held) ? scene.tools[body.held]?.name : null],
      ['Points of its shell', body.shell ? count(body.shell.sizes.at(-1)) : null],
      ['Voxels of its field', body.field ? (body.field.voxel > 0 ? quantity(body.field.voxel, 'm') : 'none (it deforms)') : null],
      ['Sensors', body.sensors.length > 0 ? body.sensors.map(({ name }) => name).join(', ') : null],
      ['Largest displacement', body.colours.includes('displacement') && moved !== undefined ? quantity(moved, 'm') : null],
      ['Touched by', touching.length > 0 ? touching.join(', ') : 'nothing'],
      ['Load', load && body.loads ? loadText(Math.hypot(...load.force), body.loads.most) : null, load?.beyond ? 'warn' : ''],
      ...body.numbers.map((each, k) => [sentence(each.label), numbers ? numberText(numbers[k], each, body.step) : '–']),
      ['Estimated model error', estimate >= 0 ? percent(estimate) : body.young > 0 ? 'not known' : null, estimate >= 0.3 ? 'bad' : estimate >= 0.1 ? 'warn' : ''],
      ['Cause', estimate >= 0.1 && body.error_cause ? body.error_cause : null],
    ];
  }

  #tool(scene, index) {
    const [def, tool] = [scene.tools[index], this.#page.view.tool(index)];
    if (!def) return [];
    const limit = this.#frame.limits?.tools[index];
    const asked = tool ? Math.hypot(...tool.force) : 0;
    const given = limit?.given ?? asked;
    const torque = tool ? Math.hypot(...tool.torque) : 0;
    const touches = tool && tool.state !== CONTACT.none ? `${scene.bodies[tool.body]?.name}, ${states[tool.state]}` : 'nothing';
    return [
      ['Device', def.device],
      ['Controlled by', this.#leader(tool)],
      ['Degrees of freedom', String(def.dof)],
      ['Largest force', def.force_limit > 0 ? quantity(def.force_limit, 'N') : null],
      ['Holds', Number.isInteger(def.body) ? scene.bodies[def.body]?.name : null],
      ['Jaws', def.jaws > 0 ? String(def.jaws) : null],
      ['Through a trocar', def.trocar ? 'yes' : null],
      ['Force on the hand', `${number(given)} N`, limit?.force ? 'warn' : ''],
      ['Requested force', limit?.force || limit?.rate ? `${number(asked)} N (limited)` : null, 'warn'],
      ['Torque on the hand', torque > 0 ? `${number(1000 * torque)} mN m` : null],
      ['Touches', touches],
      ['Penetration', tool && tool.state !== CONTACT.none ? quantity(tool.penetration, 'm') : null],
      ['Coupling', limit?.coupling ? 'saturated' : null, 'warn'],
    ];
  }

  #leader(tool) {
    const { state, view } = this.#page;
    if (state.phase === 'replaying') return 'the recording';
    if (!tool?.led) return state.demo ? "the scene's hand" : 'nobody';
    return tool.client === view.client ? 'this page' : 'another page';
  }

  #pair(scene, index) {
    const [def, now] = [scene.pairs[index], this.#frame.pairs.get(index)];
    if (!def) return [];
    return [
      ['Points of', scene.bodies[def.points]?.name],
      ['Against the field of', scene.bodies[def.field]?.name],
      ['Stiffness', `${number(def.stiffness)} N/m`],
      ['Friction', number(def.friction)],
      ['Points in contact', now ? count(now.touching) : '–'],
      ['Deepest point', now ? quantity(now.deepest, 'm') : '–'],
      ['Level rendered', now ? `${now.level} of ${now.last}` : '–', now && now.level < now.last ? 'warn' : ''],
      ['Nodes visited', now ? count(now.visited) : '–'],
    ];
  }
}

function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}
