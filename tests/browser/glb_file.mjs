// Reads binary glTF files, with all that the format asks of what we write.
import assert from 'node:assert/strict';

const ARRAYS = { 5126: Float32Array, 5125: Uint32Array, 5123: Uint16Array };
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 };

/** @param {Uint8Array} file @returns {{json: object, meshes: object[]}} */
export function parseGlb(file) {
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const view = new DataView(buffer);
  const word = (at) => view.getUint32(at, true);
  assert.deepEqual([word(0), word(4), word(8)], [0x46546c67, 2, buffer.byteLength]);
  assert.equal(word(16), 0x4e4f534a);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, word(12))));
  assert.equal(json.asset.version, '2.0');
  const start = 20 + word(12);
  assert.equal(word(12) % 4, 0);
  if (!json.buffers) return { json, meshes: [] };
  assert.deepEqual([word(start), word(start + 4)], [json.buffers[0].byteLength, 0x004e4942]);
  assert.equal(start + 8 + word(start), buffer.byteLength);
  const read = (index) => {
    const { bufferView, componentType, count, type } = json.accessors[index];
    const { byteOffset, byteLength } = json.bufferViews[bufferView];
    const Numbers = ARRAYS[componentType];
    assert.equal(byteLength, count * WIDTHS[type] * Numbers.BYTES_PER_ELEMENT);
    return new Numbers(buffer.slice(start + 8 + byteOffset, start + 8 + byteOffset + byteLength));
  };
  const meshes = json.meshes.map(({ name, primitives: [{ attributes, indices }] }) => {
    const positions = read(attributes.POSITION);
    const { min, max } = json.accessors[attributes.POSITION];
    const made = {
      name, positions, min, max, normals: read(attributes.NORMAL), colours: read(attributes.COLOR_0), triangles: read(indices),
    };
    assert.equal(made.normals.length, positions.length);
    assert.equal(made.colours.length, (4 * positions.length) / 3);
    for (let i = 0; i < made.normals.length; i += 3) {
      assert.ok(Math.abs(Math.hypot(...made.normals.subarray(i, i + 3)) - 1) < 1e-5, `normal ${i / 3} is no unit`);
    }
    assert.ok(made.triangles.every((vertex) => vertex < positions.length / 3));
    for (let k = 0; k < 3; ++k) {
      const of = positions.filter((_, i) => i % 3 === k);
      assert.ok(Math.min(...of) === min[k] && Math.max(...of) === max[k], `bounds of ${name}`);
    }
    return made;
  });
  return { json, meshes };
}
