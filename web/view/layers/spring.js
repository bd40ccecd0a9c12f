import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { disposeAll } from '../xray.js';

const TURNS = 9;
const SEGMENTS = 24 * TURNS;
const SIDES = 8;
const WIRE = 0.0045; // over the size of a body, as all below
const COIL = 0.02;
const CALM = new THREE.Color(0x6fb7e8);
const TENSE = new THREE.Color(0xf2543d);

/** A tube whose vertices know only how far along (x) and around the wire (y, z) they are: the shader winds it. */
function coil() {
  const positions = [];
  const index = [];
  for (let s = 0; s <= SEGMENTS; ++s) {
    for (let k = 0; k < SIDES; ++k) {
      const angle = (2 * Math.PI * k) / SIDES;
      positions.push(s / SEGMENTS, Math.cos(angle), Math.sin(angle));
      if (s === SEGMENTS) continue;
      const [a, b] = [s * SIDES + k, s * SIDES + ((k + 1) % SIDES)];
      index.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute(
    'normal',
    new THREE.Float32BufferAttribute(
      positions.map(() => 0),
      3,
    ),
  );
  return geometry.setIndex(index);
}

const WIND = /* glsl */ `
uniform float stretch; // m
uniform float wire;
uniform float coilRadius;
vec3 windAt;
vec3 windNormal;
void wind() {
  const float turn = ${(2 * Math.PI * TURNS).toFixed(6)};
  float t = position.x;
  // Straight ends in the axis.
  float ends = smoothstep(0.0, 0.1, t) * smoothstep(1.0, 0.9, t);
  float angle = turn * t;
  vec3 radial = vec3(cos(angle), sin(angle), 0.0);
  vec2 round = turn * coilRadius * ends * vec2(-sin(angle), cos(angle));
  vec3 tangent = normalize(vec3(round, stretch + 1e-9));
  vec3 side = normalize(cross(tangent, radial));
  windNormal = normalize(position.y * radial + position.z * side);
  windAt = radial * coilRadius * ends + vec3(0.0, 0.0, stretch * t) + wire * windNormal;
}
`;

/** The spring by which a pointer pulls a tool. */
class Spring {
  #uniforms;

  constructor(view) {
    this.view = view;
    this.#uniforms = { stretch: { value: 0 }, wire: { value: 0 }, coilRadius: { value: 0 } };
    const geometry = coil();
    const make = (options) => {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.35, metalness: 0.3, ...options });
      material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, this.#uniforms);
        shader.vertexShader = `${WIND}${shader.vertexShader}`
          .replace('void main() {', 'void main() {\nwind();')
          .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = windNormal;')
          .replace('#include <begin_vertex>', 'vec3 transformed = windAt;');
      };
      material.customProgramCacheKey = () => 'spring';
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      return mesh;
    };
    this.wire = make({});
    this.hidden = make({ transparent: true, opacity: 0.3, depthFunc: THREE.GreaterDepth, depthWrite: false });
    this.hidden.renderOrder = 20;
    this.end = new THREE.Mesh(
      new THREE.SphereGeometry(0.55 * COIL, 20, 14),
      new THREE.MeshStandardMaterial({ roughness: 0.35, depthTest: false, transparent: true }),
    );
    this.end.renderOrder = 21;
    this.end.material.color = this.hidden.material.color = this.wire.material.color;
    this.object = new THREE.Group().add(this.wire, this.hidden, this.end);
    this.object.visible = false;
  }

  /** @param {import('../../protocol/frame.js').Tool} tool */
  frame(tool) {
    const { unit } = this.view;
    const from = new THREE.Vector3().fromArray(tool.position);
    const along = new THREE.Vector3().fromArray(tool.spring).sub(from);
    const length = along.length();
    // Shorter than the tip nothing would be seen.
    this.object.visible = tool.led && !tool.lifted && length > 0.02 * unit && length < 20 * unit;
    if (!this.object.visible) return;
    this.object.position.copy(from);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.divideScalar(length));
    this.end.position.set(0, 0, length);
    this.end.scale.setScalar(unit);
    this.#uniforms.wire.value = WIRE * unit;
    this.#uniforms.coilRadius.value = COIL * unit;
    this.#uniforms.stretch.value = length;
    this.wire.material.color.lerpColors(CALM, TENSE, Math.min(length / (0.5 * unit), 1));
  }
}

class SpringLayer {
  object = new THREE.Group();
  #springs;

  constructor(view) {
    this.view = view;
    this.#springs = view.world.tools.map(() => new Spring(view));
    for (const spring of this.#springs) this.object.add(spring.object);
  }

  available(scene) {
    return scene.tools.some((tool) => tool.pointer) || 'the pointer cannot control any tool of this scene';
  }

  frame() {
    this.#springs.forEach((spring, index) => {
      const tool = this.view.tool(index);
      if (tool) spring.frame(tool);
    });
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'spring',
  label: "Pointer's spring",
  hint: 'From the tool to the point where the pointer pulls it; redder when stretched more',
  enabled: true,
  touch: true,
  create: (view) => new SpringLayer(view),
});
