import * as THREE from 'three';

/**
 * What every shader that draws a body begins with: tacDeform() sets tacAt and tacNormal. `moved` is a vertex of a frame
 * as it came: three displacements and, in one number, the two bytes of the octahedral normal.
 */
const DEFORM = /* glsl */ `
attribute ivec4 moved;
attribute float stress;
attribute float pressure;
uniform float tacMoved;   // m for each step of a displacement
uniform float tacDecoded; // 1 where the normals of frames are there
uniform float tacStress;
uniform float tacPressure;
vec3 tacAt;
vec3 tacNormal;

vec3 tacOctahedral(int bytes) {
  vec2 n = vec2(float((bytes << 24) >> 24), float(bytes >> 8)) / 127.0;
  float z = 1.0 - abs(n.x) - abs(n.y);
  float under = max(-z, 0.0);
  n += vec2(n.x >= 0.0 ? -under : under, n.y >= 0.0 ? -under : under);
  return normalize(vec3(n, z));
}

void tacDeform() {
  tacAt = position + tacMoved * vec3(moved.xyz);
  // Bytes are coarse, by about a degree: where the surface turns by less, its normal at rest is better and steady.
  vec3 turned = tacOctahedral(moved.w);
  tacNormal = normalize(mix(normal, turned, tacDecoded * smoothstep(0.015, 0.06, length(turned - normal))));
}
`;

/**
 * Unique edges of triangles, two vertices each.
 * @param {Uint32Array} triangles
 * @param {number} count of vertices
 */
function uniqueEdges(triangles, count) {
  // Sorted into one bucket for each smaller vertex; buckets are short.
  const start = new Uint32Array(count + 1);
  const each = (use) => {
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; ++k) {
        const a = triangles[t + k];
        const b = triangles[t + ((k + 1) % 3)];
        if (a !== b) use(Math.min(a, b), Math.max(a, b));
      }
    }
  };
  each((a) => {
    ++start[a + 1];
  });
  for (let i = 0; i < count; ++i) start[i + 1] += start[i];
  const ends = new Uint32Array(start[count]);
  const filled = new Uint32Array(count);
  each((a, b) => {
    const from = start[a];
    for (let k = 0; k < filled[a]; ++k) if (ends[from + k] === b) return;
    ends[from + filled[a]++] = b;
  });
  const edges = new Uint32Array(2 * filled.reduce((sum, n) => sum + n, 0));
  let at = 0;
  for (let a = 0; a < count; ++a) {
    for (let k = 0; k < filled[a]; ++k) {
      edges[at++] = a;
      edges[at++] = ends[start[a] + k];
    }
  }
  return edges;
}

/** The surface of one body on the graphics card, shared by all that draws it. */
export class BodySurface {
  #edges = null;
  #largest = { steps: 0, of: null, time: -Infinity };

  /** @param {import('../protocol.js').Body} message */
  constructor(message) {
    this.index = message.body;
    this.kind = 'vertices';
    this.message = message;
    this.count = message.rest.length / 3;
    this.scale = 0; // m: the largest component of a displacement
    this.fieldScale = { stress: 0, pressure: 0 }; // Pa

    const moved = new THREE.BufferAttribute(new Int16Array(4 * this.count), 4);
    moved.gpuType = THREE.IntType;
    const values = () =>
      new THREE.BufferAttribute(new Uint16Array(this.count), 1, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(message.triangles, 1));
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingBox();
    this.radius = 0.5 * this.geometry.boundingBox.getSize(new THREE.Vector3()).length(); // m
    this.geometry.setAttribute('moved', moved.setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute('stress', values());
    this.geometry.setAttribute('pressure', values());
    this.uniforms = {
      tacMoved: { value: 0 },
      tacDecoded: { value: 0 },
      tacStress: { value: 0 },
      tacPressure: { value: 0 },
    };
  }

  /** The shader code that gives tacAt and tacNormal after tacDeform(); its uniforms are `uniforms`, its name `kind`. */
  get deformation() {
    return DEFORM;
  }

  /** The same vertices with the unique edges of the triangles as lines. */
  get edges() {
    if (this.#edges === null) {
      this.#edges = new THREE.BufferGeometry();
      for (const [name, attribute] of Object.entries(this.geometry.attributes))
        this.#edges.setAttribute(name, attribute);
      this.#edges.setIndex(new THREE.BufferAttribute(uniqueEdges(this.message.triangles, this.count), 1));
    }
    return this.#edges;
  }

  /** The largest displacement, m. Large bodies are looked through ten times a second at most. */
  get largest() {
    const { array } = this.geometry.attributes.moved;
    const now = performance.now();
    if (array !== this.#largest.of && (this.count < 10000 || now - this.#largest.time > 100)) {
      let most = 0;
      for (let i = 0; i < array.length; i += 4) {
        const x = array[i] >> 2; // so that the sum of squares is a small integer
        const y = array[i + 1] >> 2;
        const z = array[i + 2] >> 2;
        const sum = (x * x + y * y + z * z) | 0;
        if (sum > most) most = sum;
      }
      this.#largest = { steps: 4 * Math.sqrt(most), of: array, time: now };
    }
    return this.#largest.steps * this.uniforms.tacMoved.value;
  }

  /**
   * The bytes go to the graphics card as they came.
   * @param {import('../protocol.js').Surface} surface
   */
  setSurface(surface) {
    if (surface.count !== this.count) return;
    this.#upload('moved', surface.values);
    this.scale = surface.scale;
    this.uniforms.tacMoved.value = surface.scale / 32767;
    this.uniforms.tacDecoded.value = 1;
  }

  /**
   * @param {'stress'|'pressure'} name
   * @param {import('../protocol.js').Field} field
   */
  setField(name, field) {
    if (field.values.length !== this.count) return;
    this.#upload(name, field.values);
    this.fieldScale[name] = field.scale;
    this.uniforms[name === 'stress' ? 'tacStress' : 'tacPressure'].value = field.scale;
  }

  #upload(name, values) {
    const attribute = this.geometry.attributes[name];
    attribute.array = values;
    attribute.needsUpdate = true;
  }

  /**
   * Makes one of three's materials draw the body as it is deformed.
   * @param {THREE.Material} material
   * @param {string} [key] names what `more` does, for the cache of programs
   * @param {(shader: object) => void} [more] changes the shader further
   */
  dress(material, key = '', more = null) {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = `${this.deformation}\n${shader.vertexShader}`
        .replace('void main() {', 'void main() {\ntacDeform();')
        .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = tacNormal;')
        .replace('#include <begin_vertex>', 'vec3 transformed = tacAt;');
      more?.(shader);
    };
    material.customProgramCacheKey = () => `${this.kind} ${key}`;
    return material;
  }

  dispose() {
    this.geometry.dispose();
    this.#edges?.dispose();
  }
}
