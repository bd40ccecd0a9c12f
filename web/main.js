import { Address } from './address.js';
import { BodyHand } from './hand/body_hand.js';
import { Connection, GEOMETRY } from './connection.js';
import { Gallery } from './gallery.js';
import { button } from './panels/widgets/button.js';
import { Camera } from './panels/camera.js';
import { CouplingPanel } from './panels/coupling.js';
import { Changed } from './panels/cards/changed.js';
import { Cover } from './panels/cards/cover.js';
import { Drawers } from './panels/drawers.js';
import { element } from './panels/widgets/element.js';
import { ErrorEstimate } from './panels/cards/error_estimate.js';
import { Fault } from './panels/cards/fault.js';
import { HandPanel } from './panels/hand.js';
import { Header } from './panels/header.js';
import { Held } from './panels/cards/held.js';
import { Help } from './panels/cards/help.js';
import { hint } from './panels/cards/hint.js';
import { LayersPanel } from './panels/layers.js';
import { Legends } from './panels/cards/legends.js';
import { showLink } from './panels/link.js';
import { LookCloser } from './panels/inspection/look_closer.js';
import { Notices } from './panels/cards/notices.js';
import { Small } from './panels/cards/small.js';
import { NumbersPanel } from './panels/numbers.js';
import { ParametersPanel } from './panels/parameters.js';
import { drawPicture } from './panels/picture.js';
import { PlotsPanel } from './panels/plots/plots.js';
import { Selection } from './panels/selection.js';
import { SensorsPanel } from './panels/sensors.js';
import { ShapesPanel } from './panels/shapes.js';
import { Shortcuts } from './panels/shortcuts.js';
import { SketchPanel } from './panels/sketch.js';
import { theme } from './panels/widgets/theme.js';
import { BodyNumbers } from './panels/body_numbers.js';
import { Transport } from './panels/transport.js';
import { TreePanel } from './panels/tree.js';
import { PointerHand } from './hand/pointer.js';
import { View } from './view/view.js';

const nothing = {
  phase: 'connecting',
  scene: null,
  progress: null,
  error: null,
  paused: false,
  demo: false,
  recording: null,
  sketch: null,
  sketched: null,
  replay: null,
  recordings: [],
  parameters: [],
  servo: null,
};
const query = new URLSearchParams(location.search);
const find = (id) => document.getElementById(id);

/** What the parts of the page share. */
class Page {
  connection = new Connection();
  state = nothing;
  time = 0; // s, of the last frame
  view = new View(find('view'), { quality: query.get('quality') ?? (query.has('picture') ? 'full' : undefined) });
  hand = new PointerHand(this.view, (bytes) => this.connection.send(bytes));
  bodyHand = new BodyHand(this);
}

function start() {
  const page = new Page();
  const { connection, view } = page;
  view.send = (bytes) => connection.send(bytes);

  const address = query.has('picture') ? null : new Address(connection);
  const camera = new Camera(page);
  const gallery = new Gallery(find('gallery'), page, () => hideCovered());
  const drawers = new Drawers(find('controls'), find('readings'), find('stage'));
  const transport = new Transport(page);
  const hand = new HandPanel(page);
  const tree = new TreePanel(page, new Selection(view), hand);
  const numbers = new NumbersPanel(page);
  const plots = new PlotsPanel(page);
  const sensors = new SensorsPanel();
  const bodyNumbers = new BodyNumbers();
  const coupling = new CouplingPanel();
  const parameters = new ParametersPanel(page);
  const shapes = new ShapesPanel(page);
  const sketch = new SketchPanel(page);
  const closer = new LookCloser(page);
  const fault = new Fault(page);
  const held = new Held(page);
  const changed = new Changed(page);
  const errorEstimate = new ErrorEstimate();
  const cover = new Cover(find('cover'), page);
  const notices = new Notices(find('notices'));
  const small = new Small(page);
  const help = new Help(shortcuts({ page, camera, gallery, transport, hand, drawers, closer, help: () => help.toggle() }));
  const galleryButton = button('Gallery', 'gallery', () => gallery.toggle(), { keys: 'G' });
  const header = new Header(find('top'), page, [
    galleryButton,
    ...drawers.buttons,
    button('Dark or light', 'theme', () => theme.toggle(), { keys: 'T' }),
    button('Help', 'help', () => help.toggle(), { keys: '?' }),
  ]);
  connection.requests = () => view.requests | coupling.requests;
  const panels = [hand, tree, parameters, shapes, sketch, plots, numbers, sensors, bodyNumbers, coupling];
  const parts = [header, gallery, cover, small, fault, held, changed, errorEstimate, transport, ...panels];
  const layers = new LayersPanel(page, !query.has('picture'));
  find('controls').append(hand.element, tree.element, parameters.element, shapes.element, sketch.element, layers.element);
  find('controls').append(closer.element);
  find('readings').append(
    numbers.tiles,
    plots.element,
    numbers.element,
    bodyNumbers.element,
    sensors.element,
    coupling.element,
  );
  transport.element.append(changed.button);
  find('bar').append(transport.element);
  const legends = new Legends(page);
  const over = [fault, errorEstimate, small, held, changed].map((part) => part.element);
  find('stage').append(...over, sketch.ribbon, shapes.ribbon, camera.element, legends.element, closer.card, hint(view));
  camera.element.hidden = galleryButton.hidden = true; // until there is something to look at
  showLink(find('link'), connection, [hand.element, parameters.element, sketch.element, transport.element]);

  theme.addEventListener('change', () => (view.theme = theme.now));
  view.theme = theme.now;

  let loaded = '';
  let ran = false;
  connection.addEventListener('welcome', (event) => {
    loaded = '';
    view.client = event.detail.client;
    gallery.welcome(event.detail);
  });
  connection.addEventListener('state', ({ detail: state }) => {
    page.state = state;
    const running = state.phase === 'running' || state.phase === 'replaying';
    const load = state.scene ? String(state.load) : '';
    if (load !== loaded) view.load(state.scene);
    loaded = load;
    const begins = running && !ran;
    ran = running;
    document.body.classList.toggle('replaying', state.phase === 'replaying');
    find('bar').hidden = !running;
    camera.element.hidden = !running;
    galleryButton.hidden = state.phase === 'gallery';
    drawers.there = running;
    for (const part of parts) part.state(state);
    hideCovered();
    if (begins) takeFocus();
    address?.state(state);
  });
  for (const type of GEOMETRY) connection.addEventListener(type, (event) => view.geometry(event.detail));
  connection.addEventListener('model', (event) => shapes.model(event.detail));
  connection.addEventListener('loadModes', (event) => shapes.loadModes(event.detail));
  connection.addEventListener('frame', ({ detail: frame }) => {
    page.time = frame.time;
    view.frame(frame);
    for (const part of [transport, tree, plots, numbers, sensors, bodyNumbers, coupling, errorEstimate, held, closer]) part.frame(frame);
  });
  connection.addEventListener('notice', (event) => notices.show(event.detail));
  connection.addEventListener('badges', (event) => gallery.badges(event.detail));

  /** What lies under the gallery, the progress or a failure cannot be reached by keys either. */
  function hideCovered() {
    const covered = gallery.open || !['running', 'replaying'].includes(page.state.phase);
    for (const id of ['controls', 'stage', 'readings', 'bar']) find(id).inert = covered;
  }

  view.element.classList.add('quiet'); // without the focus' frame, for those who use no keys
  document.addEventListener('keydown', () => view.element.classList.remove('quiet'), { once: true });

  /** The view's keys work as soon as a scene is there, unless a person is elsewhere in the page. */
  function takeFocus() {
    const { activeElement: now } = document;
    if (!query.has('picture') && (now === document.body || find('top').contains(now))) {
      view.element.focus({ preventScroll: true });
    }
  }

  if (query.has('picture')) drawPicture(page, query, find('stage'));
  if (query.has('test')) window.tactus = page;
  connection.open();
}

/** Makes the page's keys work. @returns {import('./panels/shortcuts.js').Shortcut[]} those that the help lists */
function shortcuts({ page, camera, gallery, transport, hand, drawers, closer, help }) {
  const listed = [
    { key: 'p', what: 'pause or continue', act: () => transport.pause() },
    { key: '.', label: '.  >', what: 'one tick, ten ticks', act: () => transport.step(1) },
    { key: ',', label: ',  <', what: 'one tick, ten ticks back, in a replay', act: () => transport.step(-1) },
    { key: '0', what: 'reset', act: () => transport.reset() },
    { key: 'r', what: 'start or stop a recording', act: () => transport.record() },
    { key: 'arrowleft', label: '← →', what: 'half a second back or forward, in a replay', act: () => transport.jump(-0.5) },
    { key: 'b', what: 'leave the replay', act: () => transport.live() },
    { key: '1', label: '1 to 9', what: 'select the tool for the pointer', act: () => hand.choose(0) },
    { key: 'v', what: 'view from the next side', act: () => camera.turn() },
    { key: 's', what: 'save a picture', act: () => camera.save() },
    ...closer.shortcuts,
    { key: 'f', what: 'full screen', act: () => camera.fullscreen(), always: true },
    { key: 'g', what: 'gallery', act: () => gallery.toggle(), always: true },
    { key: 't', what: 'dark or light', act: () => theme.toggle(), always: true },
    { key: '?', what: 'this help', act: help, always: true },
  ];
  const unlisted = [
    { key: '>', act: () => transport.step(10) },
    { key: '<', act: () => transport.step(-10) },
    { key: 'arrowright', act: () => transport.jump(0.5) },
    { key: 'escape', act: () => closer.escape() || drawers.close() },
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((digit) => ({ key: String(digit), act: () => hand.choose(digit - 1) })),
  ];
  const busy = () => gallery.open || !['running', 'replaying'].includes(page.state.phase);
  new Shortcuts([...listed, ...unlisted], busy);
  return listed;
}

try {
  start();
} catch (error) {
  console.error(error);
  find('stage').append(
    element('p', { className: 'broken', role: 'alert' }, `This page cannot be shown: ${error.message}`),
  );
}
