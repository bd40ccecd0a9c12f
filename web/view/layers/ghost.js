import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { toolColour } from '../palette.js';
import { devicePose, graspPose, handlePose } from '../tool_pose.js';

const WIRES = 6000; // triangles, above which edges would fill the picture

const VERTEX = /* glsl */ `
varying vec3 seen;
varying vec3 facing;
void main() {
  tacDeform();
  vec4 at = modelViewMatrix * vec4(tacAt, 1.0);
  seen = at.xyz;
  facing = mat3(modelViewMatrix) * tacNormal;
  gl_Position = projectionMatrix * at;
}`;

const FRAGMENT = /* glsl */ `
varying vec3 seen;
varying vec3 facing;
uniform vec3 colour;
uniform float strength;
uniform float flatness; // 1: a line, as strong everywhere
void main() {
  float rim = 1.0 - abs(dot(normalize(facing), normalize(seen)));
  gl_FragColor = vec4(colour, strength * mix(0.12 + 0.7 * rim * rim, 0.26, flatness));
  #include <colorspace_fragment>
}`;

/**
 * A copy of a held body where the device is. The coupling pulls the body there; what it touches keeps it from that
 * (Barbič 2007, Figure 3.5).
 */
class Ghost {
  object = new THREE.Group();
  #colour = { value: new THREE.Color() };
  #strength = { value: 0 };

  constructor(view, index, surface) {
    this.view = view;
    this.index = index;
    const { body } = view.world.tools[index];
    const { geometry, uniforms } = surface.alone(body);
    const make = (flatness) =>
      new THREE.ShaderMaterial({
        vertexShader: surface.deformation + VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { ...uniforms, colour: this.#colour, strength: this.#strength, flatness: { value: flatness } },
        transparent: true,
        depthWrite: false,
      });
    const parts = [new THREE.Mesh(geometry, make(0))];
    // Wires of many copies would be drawn for all of them.
    if (surface.bodies.length === 1 && surface.message.triangles.length <= 3 * WIRES) {
      parts.push(new THREE.LineSegments(surface.edges, make(1)));
    }
    for (const part of parts) {
      part.frustumCulled = false;
      part.renderOrder = 12;
      this.object.add(part);
    }
    this.object.matrixAutoUpdate = false;
  }

  theme() {
    this.#colour.value.copy(toolColour(this.view.element, this.index));
  }

  /** @param {import('../../protocol/frame.js').Tool} tool */
  frame(tool) {
    const device = this.view.world?.tools[this.index]?.trocar ? handlePose(tool) : devicePose(tool);
    const grasp = graspPose(tool);
    this.object.matrix.multiplyMatrices(device, grasp.clone().invert());
    const turn = new THREE.Quaternion().setFromRotationMatrix(this.object.matrix);
    const apart =
      Math.hypot(...[0, 1, 2].map((k) => tool.position[k] - tool.proxy[k])) / this.view.unit +
      2 * Math.acos(Math.min(1, Math.abs(turn.w)));
    // Free, the two are one.
    this.#strength.value = THREE.MathUtils.smoothstep(apart, 0.008, 0.08);
    this.object.visible = this.#strength.value > 0;
  }

  dispose() {
    for (const { material } of this.object.children) material.dispose(); // the geometry is the body's
  }
}

class GhostLayer {
  object = new THREE.Group();
  #ghosts = new Map(); // by tool

  constructor(view) {
    this.view = view;
  }

  available(scene) {
    return scene.tools.some((tool) => Number.isInteger(tool.body)) || 'no tool of this scene holds a body';
  }

  body(surface) {
    this.view.world.tools.forEach((tool, index) => {
      if (!surface.bodies.includes(tool.body)) return;
      this.#ghosts.get(index)?.dispose();
      this.#ghosts.get(index)?.object.removeFromParent();
      const ghost = new Ghost(this.view, index, surface);
      this.#ghosts.set(index, ghost);
      this.object.add(ghost.object);
    });
  }

  frame() {
    for (const [index, ghost] of this.#ghosts) {
      const tool = this.view.tool(index);
      if (tool) ghost.frame(tool);
      else ghost.object.visible = false;
    }
  }

  theme() {
    for (const ghost of this.#ghosts.values()) ghost.theme();
  }

  dispose() {
    for (const ghost of this.#ghosts.values()) ghost.dispose();
  }
}

registerLayer({
  id: 'ghost',
  label: "Device's copy",
  hint: 'The pose that the device commands for a held body; the force grows with its distance from the body',
  enabled: true,
  touch: true,
  create: (view) => new GhostLayer(view),
});
