import * as THREE from 'three';
import { CONTACT, FIELD, REQUEST } from '../protocol/protocol.js';
import { BodyLooks } from './body_look.js';
import { BodySurface } from './body_surface.js';
import { CameraRig, PRESETS } from './camera_rig.js';
import { colourStops, colourTexture, SIGNED_COLOURS } from './colour_map.js';
import { ClipPlane } from './clip_plane.js';
import { Controls } from './controls.js';
import { CoordinateSurface } from './coordinate_surface.js';
import { homeView } from './home_view.js';
import { layerKinds } from './layers.js';
import './layers/all.js';
import { Motion } from './motion.js';
import { Pace } from './pace.js';
import { drawLegends } from './legend.js';
import { sizeText } from '../text/load_text.js';
import { Picker } from './picker.js';
import { chooseQuality } from './quality.js';
import { Resolution } from './resolution.js';
import { RigidSurface } from './rigid_surface.js';
import { Stage } from './stage.js';
import { SteadyScale } from './steady_scale.js';

const NO_SCENE = 'no scene is open';

/** What bodies may be coloured by; `mode` is the shader's number, of fields 1 + FIELD; `least`: what is there at rest. */
const COLOURS = {
  plain: { mode: 0 },
  displacement: { mode: 1, label: 'Displacement', unit: 'm', least: 0 },
  stress: { mode: 1 + FIELD.stress, label: 'Von Mises stress', unit: 'Pa', least: 0 },
  stretch: { mode: 1 + FIELD.stretch, label: 'Largest stretch', unit: '', least: 1 },
  pressure: { mode: 1 + FIELD.pressure, label: 'Contact pressure', unit: 'Pa', least: 0 },
};
const FIELD_NAMES = new Map(Object.entries(FIELD).map(([name, kind]) => [kind, name]));
const LEAST_STRETCH = 0.01; // above 1

/**
 * The three-dimensional picture of the world, in a canvas that fills its container.
 *
 * Events: `load` when another scene is shown; `shape` when a shape is shown instead of the simulation, or no longer;
 * `layers` when a layer is turned on or off or becomes available or not; `legends` with what the colours mean, a list.
 * Draws in an animation frame, only when something has changed.
 */
export class View extends EventTarget {
  #rig = new CameraRig();
  #controls;
  #picker;
  #stage;
  #container;
  #size = { width: 1, height: 1 };
  #layers; // [{kind, on, layer, reason}]
  #colour = 'plain';
  #hold = false;
  #fixed = new Map(); // what scales end at, by colour, where a person has said so; SI units
  #theme = 'dark';
  #selectedTool = 0;
  #scale = new SteadyScale();
  #scaleLegend = null; // what the surfaces' colours mean
  #loadsLegend = null; // likewise, those of a mode of loads
  #legends = new Map(); // what else colours mean, by layer
  #shownLegends = '[]';
  #dirty = true;
  #last = 0;
  #pace;
  #moves = true; // something did since the last tick
  #motion = new Motion();
  #resolution;
  #observer;
  #tools = [];
  #frame = null;
  #animation = 0;
  #shape = null; // {surface, index, share, loads}
  #swung = 0; // s

  /**
   * @param {HTMLElement} container
   * @param {{quality?: 'full'|'light'}} [options] quality: what suits the machine by default
   */
  constructor(container, { quality } = {}) {
    super();
    this.quality = chooseQuality(quality);
    this.#container = container;
    this.element = document.createElement('canvas');
    Object.assign(this.element, { tabIndex: 0, className: 'view-canvas' });
    Object.assign(this.element.style, { display: 'block', width: '100%', height: '100%', touchAction: 'none' });
    this.element.setAttribute('role', 'application');
    this.element.setAttribute(
      'aria-label',
      'The world in three dimensions. Arrow keys turn it, plus and minus zoom, Space touches at the centre.',
    );
    container.append(this.element);

    this.renderer = new THREE.WebGLRenderer({
      canvas: this.element,
      antialias: this.quality.antialias,
      stencil: true, // for cuts
      powerPreference: 'high-performance',
    });
    this.renderer.toneMapping = THREE.NeutralToneMapping; // keeps the hues of the scale
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.scene = new THREE.Scene();
    this.scene.add(this.camera); // for lights and marks that go with it
    this.colouring = {
      tacColourMode: { value: 0 },
      tacColourLeast: { value: 0 },
      tacColourMost: { value: 1 },
      tacColourMap: { value: colourTexture() },
      tacSignedMap: { value: colourTexture(SIGNED_COLOURS) },
    };
    this.#stage = new Stage(this);
    this.#picker = new Picker(this.renderer);
    this.#renewPace();
    /** Cuts the bodies open. */
    this.clip = new ClipPlane();
    this.clip.addEventListener('change', () => {
      this.renderer.shadowMap.needsUpdate = true;
      this.#restyle();
    });
    this.#controls = new Controls(this.element, this.#rig);
    this.#layers = layerKinds().map((kind) => ({ kind, on: kind.enabled, layer: null, reason: NO_SCENE }));

    /** The state's scene, or null. */
    this.world = null;
    this.centre = new THREE.Vector3();
    this.radius = 1; // m
    /** The size of a usual body, m: what marks are measured by. */
    this.unit = 1;
    /** By the first of the bodies that share one. @type {Map<number, BodySurface|CoordinateSurface>} */
    this.bodies = new Map();
    /** How each body is looked at. */
    this.looks = new BodyLooks();
    /** The number of this page among the program's clients; 0: unknown. */
    this.client = 0;
    /** @type {((dt: number) => void)[]} called before each picture */
    this.tickers = [];
    /** @type {(() => void)[]} called after each picture, while the canvas has it */
    this.painters = [];
    /** CSS pixels at the top of the picture that the page covers. */
    this.covered = 0;
    /** What the pointer does instead of touching: null, or the name of what it does. @type {string|null} */
    this.pointing = null;
    /** Sends bytes to the program. @type {(bytes: ArrayBuffer) => void} */
    this.send = () => {};

    this.theme = this.#theme;
    this.#observe();
    this.#animation = requestAnimationFrame((now) => this.#tick(now));
  }

  #observe() {
    const resize = () => this.#resize();
    this.#observer = new ResizeObserver(resize);
    this.#observer.observe(this.#container);
    // Another screen, or the browser's own zoom.
    const watch = () => {
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
        'change',
        () => {
          resize();
          watch();
        },
        { once: true },
      );
    };
    watch();
    resize();
    this.element.addEventListener('webglcontextrestored', () => {
      this.#stage.renewEnvironment();
      this.#renewPace();
      this.renderer.shadowMap.needsUpdate = true;
      this.invalidate();
    });
  }

  #renewPace() {
    this.#pace = new Pace(this.renderer.getContext(), this.quality.leastInterval);
    this.#resolution = new Resolution(this.quality);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#container;
    const [width, height] = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    this.#size = { width, height };
    this.renderer.setPixelRatio(this.pixelRatio);
    this.renderer.setSize(width, height, false);
    this.#rig.resize(width, height);
    this.#draw(); // a resized canvas is empty until it is drawn
  }

  /** Of the canvas for each pixel of the page: fewer where the machine is too slow for all of them. */
  get pixelRatio() {
    return this.#resolution.ratio(this.#fullRatio);
  }

  /** The part of the full pixel ratio that is drawn. */
  get sharpness() {
    return this.pixelRatio / this.#fullRatio;
  }

  get #fullRatio() {
    return Math.min(devicePixelRatio, this.quality.mostPixelRatio);
  }

  get camera() {
    return this.#rig.camera;
  }

  get rig() {
    return this.#rig;
  }

  get controls() {
    return this.#controls;
  }

  /** Of the canvas, in CSS pixels. */
  get size() {
    return this.#size;
  }

  /** Asks for another picture. */
  invalidate() {
    this.#dirty = true;
    this.#moves = true;
  }

  // ---- what is shown ----

  /** @param {object|null} scene the state's */
  load(scene) {
    for (const entry of this.#layers) this.#removeLayer(entry);
    this.#picker.clear();
    for (const surface of this.bodies.values()) surface.dispose();
    this.bodies.clear();
    this.#tools = [];
    this.#frame = null;
    this.#motion = new Motion();
    this.#shape = null;
    this.#loadsLegend = null;
    this.world = scene;
    this.#rig.touched = false;
    if (scene) {
      this.centre.fromArray(scene.centre);
      this.radius = scene.radius > 0 ? scene.radius : 1;
      if (!(this.#selectedTool < scene.tools.length)) this.#selectedTool = 0;
      this.#reframe();
      this.clip.reset(this);
      this.#resolution = new Resolution(this.quality);
    }
    this.looks.reset(scene?.bodies.length ?? 0);
    this.#scale.reset(this.#leastOfScale());
    for (const entry of this.#layers) this.#createLayer(entry);
    this.#refreshLayers();
    this.#updateScale();
    this.dispatchEvent(new Event('load'));
    Object.assign(this.element.dataset, {
      frame: '',
      tick: '',
      force: '0.000',
      displacement: '0.000',
      contact: '0',
      bodies: '0',
      shape: '',
    });
    this.invalidate();
  }

  /** What the scene has: one of GEOMETRY. */
  geometry(message) {
    if (!this.world) return;
    if (message.type === 'body') this.#add(new BodySurface(message));
    else if (message.type === 'model') this.#add(new CoordinateSurface(message, this.quality));
    else if (message.type === 'rigid') this.#add(new RigidSurface(message, this.quality));
    else if (message.type === 'loadModes') this.model(message.model)?.setLoadModes(message);
    else for (const { layer } of this.#layers) layer?.[message.type]?.(message);
  }

  /** What draws a body. @returns {import('./drawn_surface.js').DrawnSurface|undefined} */
  surface(body) {
    return this.bodies.get(body) ?? [...this.bodies.values()].find((surface) => surface.bodies.includes(body));
  }

  #add(surface) {
    Object.assign(surface.uniforms, this.clip.uniforms, { tacLooks: this.looks.uniform });
    surface.colours = new Set(this.world.bodies[surface.index]?.colours);
    this.bodies.get(surface.index)?.dispose();
    this.bodies.set(surface.index, surface);
    this.#picker.add(surface);
    this.#reframe();
    for (const { layer } of this.#layers) layer?.body?.(surface);
    this.#restyle();
    this.element.dataset.bodies = String(this.bodies.size);
  }

  /** Hides a body, lets one see through it, or selects it. @param {Partial<import('./body_look.js').Look>} look what changes */
  setBodyLook(body, look) {
    this.looks.set(body, look);
    this.renderer.shadowMap.needsUpdate = true;
    this.#restyle();
  }

  /** @param {import('../protocol/frame.js').Frame} message */
  frame(message) {
    if (!this.world) return;
    for (const surface of message.surfaces) this.bodies.get(surface.body)?.setSurface(surface);
    for (const field of message.fields) {
      const name = FIELD_NAMES.get(field.kind);
      if (name) this.surface(field.body)?.setField?.(name, field);
    }
    for (const each of message.coordinates) this.model(each.model)?.setCoordinates(each);
    for (const { body, values } of message.poses) this.bodies.get(body)?.setPose?.(values);
    if (message.tools.length > 0) this.#tools = message.tools;
    this.#frame = message;
    if (this.#scale.offer(this.#mostNow())) this.#updateScale();
    for (const entry of this.#layers) if (this.#drawn(entry)) entry.layer.frame?.(message);
    this.#exposeToTests(message);
    if (!this.#motion.in(message)) return;
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** The surface of a model of bodies that are shown by coordinates. @returns {CoordinateSurface|undefined} */
  model(number) {
    return [...this.bodies.values()].find((surface) => surface.model === number);
  }

  // ---- shapes ----

  /** What is shown instead of the simulation: {model, index, share, loads}, or null. */
  get shape() {
    if (!this.#shape) return null;
    const { surface, index, share, loads } = this.#shape;
    return { model: surface.model, index, share, loads };
  }

  /**
   * Shows how a shape of a model swings, by `share` of the body's size, with `loads` coloured by what loads add to it;
   * null: the simulation.
   */
  set shape(wanted) {
    const surface = wanted ? this.model(wanted.model) : undefined;
    const shape = surface?.message.shapes[wanted.index];
    if (this.#shape && this.#shape.surface !== surface) this.#shape.surface.shape = null;
    if (shape) {
      const most = surface.extent(shape.coordinates);
      const factor = most > 0 ? (wanted.share * 2 * surface.radius) / most : 0;
      surface.shape = shape.coordinates.map((x) => factor * x);
      if (this.#shape?.surface !== surface || this.#shape.index !== wanted.index) this.#swung = 0;
    }
    const loads = shape && wanted.loads === true ? surface.showLoads(wanted.index) : null;
    this.#shape = shape ? { surface, index: wanted.index, share: wanted.share, loads: loads !== null } : null;
    this.#updateLoads(loads);
    this.element.dataset.shape = shape?.label ?? '';
    this.#refreshLayers();
    this.#swing(0);
    this.dispatchEvent(new Event('shape'));
  }

  /** What the colours of loads mean. @param {number|null} most m: where they end */
  #updateLoads(most) {
    this.#loadsLegend = null;
    if (most !== null) {
      const { surface, index } = this.#shape;
      const { most: size, direction } = surface.loadModes;
      const along = direction ? 'their direction' : 'the outward normal';
      const label = `Y ${index + 1}, per load of ${sizeText(size)} along ${along}`;
      this.#loadsLegend = { label, unit: 'm', least: -most, most, stops: colourStops(SIGNED_COLOURS, 17) };
    }
    this.element.dataset.loads = this.#loadsLegend?.label ?? '';
    this.#updateLegends();
  }

  /** One swing takes a second. */
  #swing(dt) {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
    this.#swung = (this.#swung + dt) % 1;
    this.#shape?.surface.swing(Math.sin(2 * Math.PI * this.#swung));
    this.#scale.offer(this.#mostNow());
  }

  /** What browser tests read. */
  #exposeToTests(message) {
    const tool = this.tool(this.#selectedTool);
    const moved = Math.max(0, ...[...this.bodies.values()].map((surface) => surface.largest));
    Object.assign(this.element.dataset, {
      frame: message.number,
      tick: message.tick,
      displacement: (1000 * moved).toFixed(3), // mm
      force: (message.limits?.tools[this.#selectedTool]?.given ?? (tool ? Math.hypot(...tool.force) : 0)).toFixed(3), // N
      contact: tool?.state ?? CONTACT.none,
    });
  }

  /** The tool of the last frame. @returns {import('../protocol/frame.js').Tool|undefined} */
  tool(index) {
    return this.#tools[index];
  }

  get tools() {
    return this.#tools;
  }

  get selectedTool() {
    return this.#selectedTool;
  }

  set selectedTool(index) {
    this.#selectedTool = index;
    this.#restyle();
  }

  // ---- layers ----

  get layers() {
    return this.#layers.map(({ kind, on, reason, layer }) => ({
      id: kind.id,
      label: kind.label,
      hint: kind.hint,
      enabled: on,
      available: reason === '',
      reason,
      settings: layer?.settings ?? [],
    }));
  }

  setLayer(id, on) {
    const entry = this.#layers.find(({ kind }) => kind.id === id);
    if (!entry || entry.on === Boolean(on)) return;
    entry.on = Boolean(on);
    this.#refreshLayers();
    if (this.#drawn(entry) && this.#frame) entry.layer.frame?.(this.#frame);
    this.renderer.shadowMap.needsUpdate = true;
  }

  /** Whether a layer is drawn. */
  shows(id) {
    return this.#drawn(this.#layers.find(({ kind }) => kind.id === id));
  }

  #drawn(entry) {
    const left = this.#shape !== null && entry?.kind.touch === true;
    return entry !== undefined && entry.on && entry.layer !== null && entry.reason === '' && !left;
  }

  #createLayer(entry) {
    entry.reason = NO_SCENE;
    if (!this.world) return;
    entry.layer = entry.kind.create(this);
    const available = entry.layer.available?.(this.world) ?? true;
    entry.reason = available === true ? '' : available;
    if (entry.layer.object) this.scene.add(entry.layer.object);
  }

  #removeLayer(entry) {
    if (!entry.layer) return;
    entry.layer.object?.removeFromParent();
    entry.layer.dispose();
    entry.layer = null;
  }

  #refreshLayers() {
    for (const entry of this.#layers) if (entry.layer?.object) entry.layer.object.visible = this.#drawn(entry);
    this.#restyle();
    this.dispatchEvent(new Event('layers'));
  }

  /** Layers are to be dressed anew. */
  restyle() {
    this.#restyle();
  }

  /** Whether some layer shows what is inside of these bodies. */
  clears(surface) {
    return this.#layers.some((entry) => this.#drawn(entry) && entry.layer.clears?.(surface));
  }

  /** Whether some layer shows what lies on these bodies. */
  dims(surface) {
    return this.#layers.some((entry) => this.#drawn(entry) && entry.layer.dims?.(surface));
  }

  #restyle() {
    for (const { layer } of this.#layers) layer?.theme?.();
    this.invalidate();
  }

  // ---- colours ----

  get colour() {
    return this.#colour;
  }

  /** @param {'plain'|'displacement'|'stress'|'stretch'|'pressure'} name */
  set colour(name) {
    if (!Object.hasOwn(COLOURS, name) || name === this.#colour) return;
    this.#colour = name;
    this.colouring.tacColourMode.value = COLOURS[name].mode;
    this.#scale.reset(this.#leastOfScale());
    this.#scale.offer(this.#mostNow());
    this.#restyle();
    this.#updateScale();
  }

  /** Whether the scale's maximum stays as it is when less is there. */
  get hold() {
    return this.#hold;
  }

  set hold(on) {
    this.#hold = Boolean(on);
    this.#scale.hold = this.#hold;
  }

  /** Where the scale ends, in SI units; null: as far as what is there. */
  get fixed() {
    return this.#fixed.get(this.#colour) ?? null;
  }

  set fixed(most) {
    if (most > (COLOURS[this.#colour].least ?? Infinity)) this.#fixed.set(this.#colour, most);
    else this.#fixed.delete(this.#colour);
    this.#updateScale();
    this.invalidate();
  }

  /** What the program is asked to send, bits of REQUEST. */
  get requests() {
    const pressure = this.#colour === 'pressure' || (this.#colour === 'plain' && this.shows('masks'));
    const field = { stress: REQUEST.stress, stretch: REQUEST.stretch }[this.#colour] ?? 0;
    let requests = REQUEST.surfaces | field | (pressure ? REQUEST.pressure : 0);
    if (this.world?.pairs?.length > 0) requests |= REQUEST.pairs;
    for (const entry of this.#layers) if (this.#drawn(entry)) requests |= entry.kind.requests ?? 0;
    return requests;
  }

  /** The smallest length of a scale: below it one would look at noise. */
  #leastOfScale() {
    const young = Math.min(...(this.world?.bodies ?? []).map((body) => body.young).filter((value) => value > 0));
    if (this.#colour === 'stretch') return LEAST_STRETCH;
    return COLOURS[this.#colour].unit === 'Pa' ? 1e-3 * (Number.isFinite(young) ? young : 1e4) : 2e-3 * this.radius;
  }

  /** How far what is there is above what is there at rest. */
  #mostNow() {
    const values = [...this.bodies.values()].map((surface) =>
      this.#colour === 'displacement' ? surface.largest : (surface.fieldScale[this.#colour] ?? 0),
    );
    return Math.max(0, ...values) - (COLOURS[this.#colour].least ?? 0);
  }

  #updateScale() {
    const { label, unit, least = 0 } = COLOURS[this.#colour];
    const most = this.fixed ?? least + this.#scale.most;
    const scale = label && this.world ? { label, unit, least, most, stops: colourStops() } : null;
    this.colouring.tacColourLeast.value = least;
    this.colouring.tacColourMost.value = this.fixed ?? least + this.#scale.shown;
    if (scale?.label === this.#scaleLegend?.label && scale?.most === this.#scaleLegend?.most) return;
    this.#scaleLegend = scale;
    this.#updateLegends();
  }

  /** What the colours of a layer mean; null: nothing. @param {import('./legend.js').Legend|null} legend */
  legend(id, legend) {
    if (legend) this.#legends.set(id, legend);
    else this.#legends.delete(id);
    this.#updateLegends();
  }

  /** All that colours mean, that of the surfaces first. */
  get #allLegends() {
    const layers = this.#layers.map(({ kind }) => this.#legends.get(kind.id));
    return [this.#scaleLegend, this.#loadsLegend, ...layers, this.#legends.get('clip')].filter(Boolean);
  }

  /** Draws what the colours mean into the lower left of a picture. @param {CanvasRenderingContext2D} context */
  drawLegends(context) {
    drawLegends(context, this.#allLegends, this.#theme);
  }

  #updateLegends() {
    const all = this.#allLegends;
    const text = JSON.stringify(all);
    if (text === this.#shownLegends) return;
    this.#shownLegends = text;
    this.dispatchEvent(new CustomEvent('legends', { detail: all }));
  }

  get theme() {
    return this.#theme;
  }

  /** @param {'dark'|'light'} name */
  set theme(name) {
    this.#theme = name === 'light' ? 'light' : 'dark';
    this.#stage.setTheme(this.#theme);
    this.#restyle();
  }

  /** The stage's colours of the theme. */
  get look() {
    return this.#stage.theme;
  }

  // ---- camera ----

  get presets() {
    return PRESETS;
  }

  preset(id) {
    this.#rig.preset(id);
    this.invalidate();
  }

  #reframe() {
    const { centre, radius } = this;
    const alone = this.world?.bodies.length === 1;
    const home = homeView([...this.bodies.values()], { centre, radius, alone });
    this.floor = home.floor; // where the ground is drawn, if the scene has no floor
    this.unit = home.unit;
    this.#rig.frame(centre, radius, home.points, [home.azimuth, home.polar]);
    this.#stage.frame(centre, radius, home.azimuth);
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  // ---- pointing ----

  /**
   * What is at a pixel of the canvas, counted in CSS pixels.
   * @param {number} x
   * @param {number} y
   * @param {{reach?: number, undeformed?: boolean}} [options] reach: how many pixels around count where it is empty;
   *   undeformed: the bodies as they are at rest
   * @returns {null|{body: number, position: THREE.Vector3, rest: THREE.Vector3, normal: THREE.Vector3}}
   */
  pick(x, y, options = {}) {
    return this.#picker.pick(this.camera, this.#size, x, y, { centre: this.centre, radius: this.radius }, options);
  }

  /** The unit direction in which a pixel looks. */
  ray(x, y) {
    const at = new THREE.Vector3((2 * x) / this.#size.width - 1, 1 - (2 * y) / this.#size.height, 0.5);
    return at.unproject(this.camera).sub(this.camera.position).normalize();
  }

  /** Where a pixel's ray meets the plane through a point that is parallel to the picture. */
  pointerPlane(x, y, through) {
    const direction = this.ray(x, y);
    const forward = this.camera.getWorldDirection(new THREE.Vector3());
    const depth = new THREE.Vector3().subVectors(through, this.camera.position).dot(forward);
    return direction.multiplyScalar(depth / direction.dot(forward)).add(this.camera.position);
  }

  /** The pixel at which a point is seen. */
  project(point) {
    const at = point.clone().project(this.camera);
    return { x: (0.5 + 0.5 * at.x) * this.#size.width, y: (0.5 - 0.5 * at.y) * this.#size.height };
  }

  // ---- drawing ----

  #tick(now) {
    this.#animation = requestAnimationFrame((next) => this.#tick(next));
    const dt = Math.min(Math.max((now - this.#last) / 1000, 0), 0.25);
    this.#last = now;
    this.#resolution.drew(this.#pace.took(now));
    for (const ticker of this.tickers) ticker(dt);
    if (this.#shape) this.#swing(dt);
    if (this.#rig.update(dt)) this.invalidate();
    if (this.#scaleLegend) {
      if (this.#scale.pass(dt, this.#mostNow())) this.invalidate();
      this.#updateScale();
    }
    for (const entry of this.#layers) if (this.#drawn(entry) && entry.layer.update?.(dt)) this.invalidate();
    this.#resolution.pass(dt, this.#moves);
    this.#moves = false;
    const sharper = this.renderer.getPixelRatio() !== this.pixelRatio;
    if ((this.#dirty || sharper) && this.#pace.ready(now)) {
      if (sharper) this.renderer.setPixelRatio(this.pixelRatio);
      this.#draw();
      this.#pace.drew(now);
    }
  }

  #draw() {
    this.#dirty = false;
    this.#render();
    for (const paint of this.painters) paint();
  }

  #render() {
    this.#stage.update(this.camera, this.centre);
    this.renderer.render(this.scene, this.camera);
  }

  /**
   * A picture of what is seen, with the scale bar where colours mean something.
   * @param {number} [width] pixels; by default those of the canvas where nothing moves
   * @param {number} [height]
   * @returns {Promise<Blob>} PNG
   */
  screenshot(width = this.#size.width * this.#fullRatio, height = this.#size.height * this.#fullRatio) {
    const canvas = document.createElement('canvas');
    const most = Math.min(this.renderer.capabilities.maxTextureSize, 8192);
    canvas.width = Math.round(Math.min(Math.max(width, 1), most));
    canvas.height = Math.round(Math.min(Math.max(height, 1), most));
    const before = { ...this.#size };
    const ratio = this.renderer.getPixelRatio();
    // Without anti-aliasing, larger and then made smaller.
    const finer = this.quality.antialias || 2 * Math.max(canvas.width, canvas.height) > most ? 1 : 2;
    this.renderer.setPixelRatio(finer);
    this.renderer.setSize(canvas.width, canvas.height, false);
    this.#rig.resize(canvas.width, canvas.height);
    this.renderer.shadowMap.needsUpdate = true;
    for (const entry of this.#layers) if (this.#drawn(entry)) entry.layer.update?.(0);
    this.#render();
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.element, 0, 0, canvas.width, canvas.height);
    this.drawLegends(context);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(before.width, before.height, false);
    this.#rig.resize(before.width, before.height);
    this.#draw();
    return new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be written'))),
        'image/png',
      );
    });
  }

  dispose() {
    cancelAnimationFrame(this.#animation);
    this.#observer.disconnect();
    this.load(null);
    this.#picker.dispose();
    this.renderer.dispose();
    this.element.remove();
  }
}
