import { button, relabel } from './widgets/button.js';
import { Choice } from './widgets/choice.js';
import { element, setText } from './widgets/element.js';
import { Properties } from './properties.js';
import { section } from './widgets/section.js';
import { toolColour } from './widgets/theme.js';

const looks = [
  { id: 'shown', label: 'Shown' },
  { id: 'pale', label: 'Clear', hint: 'Transparent' },
  { id: 'hidden', label: 'Hidden', hint: 'It stays in the simulation, but is not drawn, and the pointer cannot touch it' },
];

/** What a scene has, as a tree: bodies, tools, contacts; one of them with all that is known of it. */
export class TreePanel {
  #page;
  #selection;
  #tree = element('ul', { className: 'tree', role: 'tree', 'aria-label': 'Bodies, tools and contacts' });
  #items = []; // {element, thing, parent, name, eye}
  #focused = null;
  #built = '';
  #properties;
  #title = element('h3', {});
  #look;
  #alone;
  #all;
  #details;
  #hand;

  /** @param {object} page @param {import('./selection.js').Selection} selection @param {import('./hand.js').HandPanel} hand */
  constructor(page, selection, hand) {
    this.#page = page;
    this.#selection = selection;
    this.#hand = hand;
    this.#properties = new Properties(page);
    this.#look = new Choice('How it is drawn', looks, (look) => this.#lookOf((body) => selection.setLook(body, look)));
    this.#alone = button('Only this', 'eye', () => this.#lookOf((body) => this.#showAlone(body)), {
      wide: true,
      className: 'outlined',
    });
    this.#all = button('Show all', 'eye', () => selection.showAll(), { wide: true, className: 'outlined' });
    this.#details = element(
      'div',
      { className: 'stack details' },
      this.#title,
      this.#look.element,
      element('div', { className: 'group' }, this.#alone, this.#all),
      this.#properties.element,
    );
    this.element = section('World', this.#tree, this.#details);
    this.#tree.addEventListener('keydown', (event) => this.#key(event));
    this.#tree.addEventListener('focusin', (event) => {
      const item = this.#items.find((each) => each.element === event.target);
      if (item) this.#rove(item);
    });
    selection.addEventListener('change', () => this.#show());
  }

  state(state) {
    const { scene } = state;
    const built = JSON.stringify(
      scene && [state.load, scene.bodies.map(({ name }) => name), scene.tools.map(({ name }) => name), scene.pairs],
    );
    if (built !== this.#built) this.#build(scene, built);
    this.#properties.state(state);
  }

  frame(frame) {
    this.#properties.frame(frame);
  }

  // ---- the tree ----

  #build(scene, built) {
    this.#built = built;
    this.#items = [];
    this.#focused = null;
    const { bodies = [], tools = [], pairs = [] } = scene ?? {};
    const groups = [
      this.#group('Bodies', bodies.map(({ name, method }, index) => this.#body(index, name, method))),
      this.#group('Tools', tools.map(({ name, device }, index) => this.#tool(index, name, device))),
      this.#group(
        'Contacts',
        pairs.map(({ points, field }, index) =>
          this.#leaf({ kind: 'pair', index }, `${bodies[points]?.name} on ${bodies[field]?.name}`),
        ),
      ),
    ];
    this.#tree.replaceChildren(...groups.filter(Boolean).map((group) => group.element));
    // In the order of the screen: a group, then what is in it.
    this.#items = groups.filter(Boolean).flatMap((group) => [group, ...group.children]);
    if (this.#items.length > 0) this.#rove(this.#items[0]);
    this.element.hidden = this.#items.length === 0;
    this.#show();
  }

  #group(name, children) {
    if (children.length === 0) return null;
    const made = element(
      'li',
      { role: 'treeitem', 'aria-expanded': 'true', 'aria-level': '1', 'aria-label': `${name}, ${children.length}`, tabIndex: -1 },
      element('span', { className: 'twig' }, element('b', {}, name), element('small', {}, String(children.length))),
      element('ul', { role: 'group' }, ...children.map((child) => child.element)),
    );
    const group = { element: made, thing: null, parent: null, name, children };
    for (const child of children) child.parent = group;
    made.firstChild.addEventListener('click', () => {
      this.#unfold(group, made.getAttribute('aria-expanded') === 'false');
      made.focus();
    });
    return group;
  }

  #leaf(thing, name, ...more) {
    const made = element(
      'li',
      { role: 'treeitem', 'aria-level': '2', 'aria-selected': 'false', 'aria-label': name, tabIndex: -1 },
      element('span', { className: 'twig' }, ...more, element('span', { className: 'name', title: name }, name)),
    );
    made.addEventListener('click', (event) => {
      if (event.target.closest('button')) return;
      this.#choose(thing);
      made.focus();
    });
    return { element: made, thing, parent: null, name };
  }

  #body(index, name, method) {
    const item = this.#leaf({ kind: 'body', index }, name);
    item.eye = button(`Hide ${name}`, 'eye', () => this.#toggle(index), { className: 'small' });
    item.eye.tabIndex = -1;
    item.element.firstChild.append(element('small', { title: method }, method), item.eye);
    return item;
  }

  #tool(index, name, device) {
    const dot = element('i', { className: 'dot', style: `color: var(${toolColour(index)})` });
    const item = this.#leaf({ kind: 'tool', index }, name, dot);
    item.element.firstChild.append(element('small', { title: device }, device));
    return item;
  }

  /** A tool that is chosen here is led by the pointer, too. */
  #choose(thing) {
    this.#selection.select(thing);
    if (thing?.kind === 'tool') this.#hand.choose(thing.index);
  }

  #toggle(body) {
    this.#selection.setLook(body, this.#selection.look(body) === 'hidden' ? 'shown' : 'hidden');
  }

  #showAlone(body) {
    if (this.#selection.isAlone(body)) this.#selection.showAll();
    else this.#selection.showAlone(body);
  }

  #lookOf(act) {
    const { thing } = this.#selection;
    if (thing?.kind === 'body') act(thing.index);
  }

  // ---- keys ----

  /** The one that Tab comes to. */
  #rove(item) {
    if (this.#focused) this.#focused.element.tabIndex = -1;
    this.#focused = item;
    item.element.tabIndex = 0;
  }

  #unfold(group, open) {
    group.element.setAttribute('aria-expanded', String(open));
  }

  get #seen() {
    return this.#items.filter(({ parent }) => !parent || parent.element.getAttribute('aria-expanded') === 'true');
  }

  #key(event) {
    const item = this.#focused;
    if (event.target !== item?.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const seen = this.#seen;
    const at = seen.indexOf(item);
    const open = item.element.getAttribute('aria-expanded');
    const body = item.thing?.kind === 'body' ? item.thing.index : null;
    const ofBody = (act) => body !== null && (() => act(body));
    const acts = {
      ArrowDown: () => seen[at + 1]?.element.focus(),
      ArrowUp: () => seen[at - 1]?.element.focus(),
      ArrowRight: () => (open === 'false' ? this.#unfold(item, true) : open && seen[at + 1]?.element.focus()),
      ArrowLeft: () => (open === 'true' ? this.#unfold(item, false) : item.parent?.element.focus()),
      Home: () => seen[0].element.focus(),
      End: () => seen.at(-1).element.focus(),
      Enter: () => (item.thing ? this.#choose(item.thing) : this.#unfold(item, open === 'false')),
      Escape: this.#selection.thing && (() => this.#selection.select(null)),
      h: ofBody((index) => this.#toggle(index)),
      o: ofBody((index) => this.#showAlone(index)),
      x: ofBody((index) => this.#selection.setLook(index, this.#selection.look(index) === 'pale' ? 'shown' : 'pale')),
    };
    acts[' '] = acts.Enter;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  // ---- what is selected ----

  #show() {
    const { thing } = this.#selection;
    const same = (item) => item.thing?.kind === thing?.kind && item.thing?.index === thing?.index;
    for (const item of this.#items) {
      if (!item.thing) continue;
      const chosen = thing !== null && same(item);
      if (chosen && item.element.getAttribute('aria-selected') === 'false') {
        this.#unfold(item.parent, true);
        item.element.scrollIntoView({ block: 'nearest' });
      }
      item.element.setAttribute('aria-selected', String(chosen));
      if (item.eye) this.#showEye(item);
    }
    const body = thing?.kind === 'body' ? thing.index : null;
    this.#details.hidden = thing === null && this.#selection.isPlain;
    this.#title.hidden = thing === null;
    setText(this.#title, this.#items.find((item) => item.thing && thing && same(item))?.name ?? '');
    this.#look.element.hidden = this.#alone.hidden = body === null;
    if (body !== null) {
      this.#look.value = this.#selection.look(body);
      const bodies = this.#page.view.world?.bodies.length ?? 0;
      this.#alone.hidden = bodies < 2;
    }
    this.#all.hidden = this.#selection.isPlain;
    this.#properties.show(thing);
  }

  #showEye({ thing, name, eye, element: row }) {
    const look = this.#selection.look(thing.index);
    row.dataset.look = look;
    relabel(eye, look === 'hidden' ? `Show ${name}` : `Hide ${name}`, '', look === 'hidden' ? 'hidden' : 'eye');
  }
}
