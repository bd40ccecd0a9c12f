import * as THREE from 'three';
import { REQUEST } from '../../protocol/protocol.js';
import { CUT } from '../clip_plane.js';
import { registerLayer } from '../layers.js';
import { LEVEL_COLOURS, levelSwatches } from '../palette.js';
import { table } from '../coordinate_surface.js';

const WIDEST = 4096; // pixels of a texture
const LEVELS = 12;
const FEW = { light: 30000, full: 300000 }; // points that are drawn at first, at most

const MOVE = {
  rigid: /* glsl */ `
uniform vec3 tacPlace;
uniform vec4 tacTurned;
vec4 tacPose(out vec3 place) {
  place = tacPlace;
  return tacTurned;
}
vec3 tacDisplacement() {
  return vec3(0.0);
}`,
  // u = U q with the points' own U, as the program has it.
  coordinates: /* glsl */ `
uniform highp usampler2D tacShellBasis; // two numbers of 16 bits in x, one in y
uniform highp sampler2D tacShellScales;
uniform highp sampler2D tacState;
uniform int tacSize;
uniform int tacShift;
uniform int tacRow;
vec4 tacPose(out vec3 place) {
  place = texelFetch(tacState, ivec2(tacSize, tacRow), 0).xyz;
  return texelFetch(tacState, ivec2(tacSize + 1, tacRow), 0);
}
vec3 tacDisplacement() {
  ivec2 at = ivec2((gl_VertexID & ((1 << tacShift) - 1)) * tacSize, gl_VertexID >> tacShift);
  vec3 u = vec3(0.0);
  for (int j = 0; j < tacSize; ++j) {
    uvec2 both = texelFetch(tacShellBasis, ivec2(at.x + j, at.y), 0).xy;
    float q = texelFetch(tacState, ivec2(j, tacRow), 0).z * texelFetch(tacShellScales, ivec2(j, 0), 0).x;
    u += q * vec3(ivec3(int(both.x << 16u), int(both.x), int(both.y << 16u)) >> 16);
  }
  return u;
}`,
};

const VERTEX = /* glsl */ `
${CUT}
attribute uvec4 tacPoint;
uniform vec3 tacOrigin;
uniform float tacStep;
uniform int tacSizes[${LEVELS}];
uniform float tacSpacings[${LEVELS}]; // m, of the points up to each level
uniform vec3 tacColours[${LEVELS}];
uniform float tacPixels;              // of the picture's height
uniform float tacSharp;               // pixels of the screen for each of the page
uniform float tacLift;                // m towards the eye, so that the surface does not hide them
varying vec3 ink;

vec3 tacTurn(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec3 tacOctahedral(int bytes) {
  vec2 n = vec2(float((bytes << 24) >> 24), float((bytes << 16) >> 24)) / 127.0;
  float z = 1.0 - abs(n.x) - abs(n.y);
  float under = max(-z, 0.0);
  n += vec2(n.x >= 0.0 ? -under : under, n.y >= 0.0 ? -under : under);
  return normalize(vec3(n, z));
}

void main() {
  vec3 place;
  vec4 turn = tacPose(place);
  vec3 at = tacOrigin + tacStep * vec3(tacPoint.xyz) + tacDisplacement();
  at = place + tacTurn(turn, at);
  vec4 seen = viewMatrix * vec4(at, 1.0);
  vec3 normal = mat3(viewMatrix) * tacTurn(turn, tacOctahedral(int(tacPoint.w)));
  float facing = dot(normal, -normalize(seen.xyz));
  seen.xyz *= 1.0 - tacLift / length(seen.xyz);
  int level = 0;
  for (int l = 0; l < ${LEVELS - 1}; ++l) level += gl_VertexID >= tacSizes[l] ? 1 : 0;
  ink = tacColours[level] * (0.5 + 0.5 * clamp(facing, 0.0, 1.0));
  gl_Position = projectionMatrix * seen;
  float size = 0.36 * tacSpacings[level] * tacPixels * projectionMatrix[1][1] * 0.5 / gl_Position.w;
  gl_PointSize = clamp(size, 1.5, 8.0 * tacSharp);
  if (facing < -0.25 || tacCut(at)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // on the other side
}`;

const FRAGMENT = /* glsl */ `
varying vec3 ink;
void main() {
  vec2 from = 2.0 * gl_PointCoord - 1.0;
  float away = dot(from, from);
  if (away > 1.0) discard;
  gl_FragColor = vec4(ink * (1.0 - 0.45 * smoothstep(0.55, 1.0, away)), 1.0);
  #include <colorspace_fragment>
}`;

/** The points of one shell, drawn once for each of its bodies. */
class ShellPoints {
  object = new THREE.Group();
  #geometry = new THREE.BufferGeometry();
  #textures = [];

  /**
   * @param {import('../view.js').View} view
   * @param {import('../../protocol/shapes.js').Shell} message
   */
  constructor(view, message) {
    this.message = message;
    const points = new THREE.BufferAttribute(message.points, 4);
    points.gpuType = THREE.IntType;
    this.#geometry.setAttribute('tacPoint', points);
    const area = view.world.bodies[message.bodies[0]]?.shell?.area ?? 0;
    const last = message.sizes.length - 1;
    const each = Array.from({ length: LEVELS }, (_, l) => message.sizes[Math.min(l, last)]);
    const shared = {
      tacOrigin: { value: message.origin },
      tacStep: { value: message.step },
      tacSizes: { value: each },
      tacSpacings: { value: each.map((count) => Math.sqrt(area / count)) },
      tacColours: { value: LEVEL_COLOURS.map((colour) => new THREE.Color(colour)) },
      tacPixels: { value: 1 },
      tacSharp: { value: 1 },
      tacLift: { value: 0.006 * view.unit },
      ...this.#basis(),
      ...view.clip.uniforms,
    };
    for (const body of message.bodies) this.#add(view.surface(body), body, shared);
    [this.pixels, this.sharp] = [shared.tacPixels, shared.tacSharp];
  }

  /** Two numbers in a word, one in the next, for a point and a coordinate. */
  #basis() {
    const { size, basis, scales, sizes } = this.message;
    if (size === 0) return {};
    const shift = Math.floor(Math.log2(WIDEST / size));
    const [width, height] = [2 ** shift * size, Math.ceil(sizes[sizes.length - 1] / 2 ** shift)];
    const words = new Int16Array(4 * width * height);
    for (let from = 0, to = 0; from < basis.length; from += 3, to += 4) {
      words[to] = basis[from];
      words[to + 1] = basis[from + 1];
      words[to + 2] = basis[from + 2];
    }
    const values = new Uint32Array(words.buffer);
    this.#textures = [
      table(values, width, height, THREE.RGIntegerFormat, THREE.UnsignedIntType, 'RG32UI'),
      table(scales.slice(), size, 1, THREE.RedFormat, THREE.FloatType, 'R32F'),
    ];
    const [tacShellBasis, tacShellScales] = this.#textures.map((value) => ({ value }));
    return { tacShellBasis, tacShellScales, tacShift: { value: shift } };
  }

  #add(surface, body, shared) {
    const deforms = this.message.size > 0;
    // Its coordinates must be those of the surface that the frames bring.
    if (!surface || deforms !== (surface.shown === 'coordinates') || (deforms && surface.size !== this.message.size)) return;
    const { tacState, tacSize, tacPlace, tacTurned } = surface.uniforms;
    const row = { value: surface.bodies.indexOf(body) };
    const moves = deforms ? { tacState, tacSize, tacRow: row } : { tacPlace, tacTurned };
    const material = new THREE.ShaderMaterial({
      vertexShader: MOVE[deforms ? 'coordinates' : 'rigid'] + VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { ...shared, ...moves },
    });
    const points = new THREE.Points(this.#geometry, material);
    points.frustumCulled = false;
    this.object.add(points);
  }

  set level(level) {
    const { sizes } = this.message;
    this.#geometry.setDrawRange(0, sizes[Math.min(level, sizes.length - 1)]);
  }

  dispose() {
    this.#geometry.dispose();
    for (const texture of this.#textures) texture.dispose();
    for (const { material } of this.object.children) material.dispose();
  }
}

class ShellLayer {
  object = new THREE.Group();
  #shells = new Map();
  #sizes; // of each body's shell
  #level;

  constructor(view) {
    this.view = view;
    this.#sizes = view.world.bodies.map((body) => body.shell?.sizes).filter(Boolean);
    const levels = Math.max(0, ...this.#sizes.map((sizes) => sizes.length));
    const few = view.quality.physical ? FEW.full : FEW.light;
    this.#level = 0;
    while (this.#level + 1 < levels && this.#points(this.#level + 1) <= few) ++this.#level;
    this.settings = [
      {
        label: 'Points up to level',
        options: Array.from({ length: levels }, (_, l) => [l, `${l}: ${this.#points(l).toLocaleString('en')} points`]),
        get: () => this.#level,
        set: (level) => this.#choose(+level),
      },
    ];
  }

  /** Of all shells up to a level. */
  #points(level) {
    return this.#sizes.reduce((sum, sizes) => sum + sizes[Math.min(level, sizes.length - 1)], 0);
  }

  available(scene) {
    return scene.bodies.some((body) => body.shell) || 'no body of this scene has points for contact';
  }

  /** @param {import('../../protocol/shapes.js').Shell} message */
  shell(message) {
    this.#remove(message.shell);
    const made = new ShellPoints(this.view, message);
    made.level = this.#level;
    this.#shells.set(message.shell, made);
    this.object.add(made.object);
    this.view.restyle();
  }

  /** Points are told apart better on what is dark. */
  dims({ bodies }) {
    return [...this.#shells.values()].some(({ message }) => message.bodies.some((body) => bodies.includes(body)));
  }

  #choose(level) {
    this.#level = level;
    for (const shell of this.#shells.values()) shell.level = level;
    this.#updateLegend();
    this.view.invalidate();
  }

  #updateLegend() {
    const swatches = levelSwatches(this.#level + 1);
    this.view.legend('shell', this.view.shows('shell') ? { label: 'Points, by level', swatches } : null);
  }

  update() {
    const { renderer } = this.view;
    for (const { pixels, sharp } of this.#shells.values()) {
      pixels.value = renderer.getContext().drawingBufferHeight;
      sharp.value = renderer.getPixelRatio();
    }
    return false;
  }

  theme() {
    this.#updateLegend();
  }

  #remove(number) {
    this.#shells.get(number)?.dispose();
    this.#shells.get(number)?.object.removeFromParent();
  }

  dispose() {
    this.view.legend('shell', null);
    for (const shell of this.#shells.values()) shell.dispose();
  }
}

registerLayer({
  id: 'shell',
  label: 'Pointshells',
  hint: 'The points that are tested for contact, where they are now, coloured by the level that adds them',
  enabled: false,
  requests: REQUEST.shells,
  create: (view) => new ShellLayer(view),
});
