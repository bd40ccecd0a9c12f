const MAGIC = 0x46546c67; // "glTF"
const [JSON_CHUNK, BINARY_CHUNK] = [0x4e4f534a, 0x004e4942];
const [FLOAT, UNSIGNED_INT, UNSIGNED_SHORT] = [5126, 5125, 5123];
const [ARRAY, ELEMENTS] = [34962, 34963];
const UPRIGHT = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // z is up here, y in glTF

/** @typedef {{name: string, positions: Float32Array, normals: Float32Array, colours: Uint16Array, triangles: Uint32Array}} Shape
 *  metres; colours: red, green, blue, opacity for each vertex, linear, 65535 for one */

/** The least and the most of each coordinate. */
function bounds(positions) {
  const [min, max] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
  positions.forEach((value, i) => {
    min[i % 3] = Math.min(min[i % 3], value);
    max[i % 3] = Math.max(max[i % 3], value);
  });
  return { min, max };
}

/**
 * A binary glTF 2.0 file: a mesh for each shape, in the frame of the world under a node that turns z up.
 * @param {string} name of the whole
 * @param {Shape[]} shapes
 * @returns {ArrayBuffer}
 */
export function glb(name, shapes) {
  const json = {
    asset: { version: '2.0', generator: 'Tactus' },
    scene: 0,
    scenes: [{ name, nodes: [0] }],
    nodes: [{ name, rotation: UPRIGHT }],
    materials: [{ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.5 }, doubleSided: true }],
    meshes: [],
    accessors: [],
    bufferViews: [],
    buffers: [{ byteLength: 0 }],
  };
  if (shapes.length > 0) json.nodes[0].children = shapes.map((_, k) => k + 1);
  const parts = [];
  const put = (array, target, componentType, type, more = {}) => {
    const byteOffset = json.buffers[0].byteLength;
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    json.bufferViews.push({ buffer: 0, byteOffset, byteLength: array.byteLength, target });
    const bufferView = json.bufferViews.length - 1;
    json.accessors.push({ bufferView, componentType, count: array.length / width, type, ...more });
    parts.push([byteOffset, array]);
    json.buffers[0].byteLength += Math.ceil(array.byteLength / 4) * 4;
    return json.accessors.length - 1;
  };
  for (const { name: each, positions, normals, colours, triangles } of shapes) {
    const attributes = {
      POSITION: put(positions, ARRAY, FLOAT, 'VEC3', bounds(positions)),
      NORMAL: put(normals, ARRAY, FLOAT, 'VEC3'),
      COLOR_0: put(colours, ARRAY, UNSIGNED_SHORT, 'VEC4', { normalized: true }),
    };
    const indices = put(triangles, ELEMENTS, UNSIGNED_INT, 'SCALAR');
    json.meshes.push({ name: each, primitives: [{ attributes, indices, material: 0 }] });
    json.nodes.push({ name: each, mesh: json.meshes.length - 1 });
  }
  if (shapes.length === 0) for (const key of ['meshes', 'accessors', 'bufferViews', 'buffers']) delete json[key];
  return packed(json, parts);
}

function packed(json, parts) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const [textSize, binarySize] = [Math.ceil(text.length / 4) * 4, json.buffers?.[0].byteLength ?? 0];
  const size = 12 + 8 + textSize + (binarySize > 0 ? 8 + binarySize : 0);
  const buffer = new ArrayBuffer(size);
  const [bytes, view] = [new Uint8Array(buffer), new DataView(buffer)];
  [MAGIC, 2, size, textSize, JSON_CHUNK].forEach((word, k) => view.setUint32(4 * k, word, true));
  bytes.fill(0x20, 20, 20 + textSize); // spaces
  bytes.set(text, 20);
  if (binarySize === 0) return buffer;
  const from = 20 + textSize;
  view.setUint32(from, binarySize, true);
  view.setUint32(from + 4, BINARY_CHUNK, true);
  for (const [at, array] of parts)
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), from + 8 + at);
  return buffer;
}
