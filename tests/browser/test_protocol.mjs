// The page's side of docs/viewer_protocol.md, against bytes that are written here one by one.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ASK, COMMAND, CONTACT, FIELD, REQUEST, decode, encodeAsk, encodeCommand, encodePointer, encodeShown,
} from '../../web/protocol/protocol.js';
import { NO_LOAD } from '../../web/protocol/shapes.js';

// [kind, value, ...]: 'u8 u16 u32 u64 i8 i16 f32 f64' or 'text'.
function bytes(...parts) {
  const chunks = parts.map(([kind, ...values]) => {
    if (kind === 'text') return Buffer.from(values[0], 'utf8');
    const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array, i8: Int8Array, i16: Int16Array,
      f32: Float32Array, f64: Float64Array };
    return Buffer.from(arrays[kind].from(kind === 'u64' ? values.map(BigInt) : values).buffer); // machines here are little-endian
  });
  const all = Buffer.concat(chunks);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length);
}

const head = (type, a, b, version = 1) => [['u8', type, version], ['u16', a], ['u32', b]];
/** Whether a message has these properties; typed arrays are compared by their values. */
function has(message, expected) {
  const plain = (value) => (ArrayBuffer.isView(value) ? [...value] : value);
  for (const key of Object.keys(expected)) assert.deepEqual(plain(message[key]), expected[key], key);
}
const range = (from, count) => Array.from({ length: count }, (_, k) => from + k);

// Sections come padded to 8 bytes.
function section(tag, ...parts) {
  const content = Buffer.from(bytes(...parts));
  const padded = Buffer.concat([content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
  return [
    ['u32', tag, padded.length],
    ['u8', ...padded],
  ];
}

function frame(...sections) {
  return bytes(...head(4, sections.length, 77), ['u32', 3, 0], ['f64', 12.5], ['u64', 2 ** 40 + 5], ...sections.flat());
}

const tool = (start, state, body, flags, client) => [
  ['f32', ...range(start, 26)],
  ['u32', state, body, flags, client],
  ['f32', ...range(start + 26, 4)],
];
const tools = section(1, ['u32', 2, 0], ...tool(1, 0, 0, 3, 0), ...tool(101, 3, 1, 5, 9));
const surface = section(
  2, ['u32', 1, 3], ['f32', 0.25], ['u32', 0],
  ['i16', 1, -2, 3], ['i8', 5, -6], ['i16', 32767, -32767, 0], ['i8', 127, -127], ['i16', 7, 8, 9], ['i8', 0, 1],
);
const field = section(3, ['u32', 1, 2], ['f32', 1500], ['u32', 3], ['u16', 0, 65535, 32768]);
const stretch = section(3, ['u32', 1, 3], ['f32', 1.5], ['u32', 1], ['u16', 65535], ['u16', 0, 0, 0]);
const numbers = section(4, ['f32', 1000, 60, 1, 2, 3, 4, 5, 6], ['u32', 7, 8, 9, 10]);
const ticks = (count = 2) => bytes(...head(13, 0, 3), ['u64', 4000], ['u32', count, 2], ['f32', ...range(0.5, 20)]);
const sensors = section(6, ['u32', 0, 6], ['f32', 1, 2, 3, 4, 5, 6]);
const poses = section(8, ['u32', 2, 0], ['u32', 4], ['f32', ...range(1, 7)], ['u32', 9], ['f32', ...range(8, 7)]);
const pair = section(
  9, ['u32', 1, 2, 3, 400, 50, 2, 1], ['f32', 0.5, ...range(10, 8), ...range(20, 4)], ['u16', 2, 1],
);
const contacts = section(
  10, ['u32', 2, 0],
  ['f32', ...range(1, 10)], ['u32', 1], ['u16', 3, 65535],
  ['f32', ...range(21, 10)], ['u32', 2], ['u16', 0, 3],
);
const coupling = section(11, ['u32', 1], ['f32', 0.25], ['u8', ...range(247, 9)]);
const bodyNumbers = section(12, ['u32', 2, 4], ['f32', 17, 0.25, 3, 0]);
const load = section(13, ['u32', 2, 1], ['f32', 0.5, 0.25, -1, 3, 0, -4]);
const coordinates = section(7, ['u32', 1, 2, 3, 1], ['f32', ...range(0.5, 20)]);

const body = bytes(
  ...head(3, 2, 5),
  ['u32', 4, 2, 1, 2, 1, 0],
  ['f32', ...range(0.5, 12)],
  ['u32', 0, 1, 2, 0, 2, 3],
  ['u32', 3],
  ['f32', ...range(20, 6)],
  ['u32', 0, 1],
);

// Three vertices, two coordinates, two bodies, two shapes.
const labels = 'mode 1\nÄ 1 2';
const model = (changes = {}) => {
  const { triangles = [0, 1, 2], fixed = [1], edges = [0, 1], text = labels, counts = {} } = changes;
  const padded = Buffer.concat([Buffer.from(text), Buffer.alloc((4 - (Buffer.byteLength(text) % 4)) % 4)]);
  const { size = 2, bodies = 2, shapes = 2 } = counts;
  return bytes(
    ...head(6, 1, 5),
    ['u32', 3, 1, 1, 2, 1, size, shapes, bodies, padded.length, 1],
    ['f32', ...range(0.5, 9)],
    ['f32', ...range(100, 9)],
    ['u32', ...triangles],
    ['u32', ...fixed],
    ['f32', ...range(20, 6)],
    ['u32', ...edges],
    ['u32', 4, 7],
    ['f32', ...range(30, 14)],
    ['f32', 0.5, 2, 0.25, 4],
    ['i16', ...range(-18, 36)],
    ['f32', 1, 0, 0.5, 0.25],
    ['u8', ...padded],
  );
};

const rigid = (triangles = [0, 1, 2]) =>
  bytes(
    ...head(7, 6, 5),
    ['u32', 3, triangles.length / 3, 0, 0],
    ['f32', ...range(1, 7), 0],
    ['f32', ...range(0.5, 9)],
    ['u32', ...triangles],
  );

// Three points on two levels, two coordinates, one body.
const shell = ({ counts = [3, 2, 2, 1, 70, 0], sizes = [1, 3] } = {}) =>
  bytes(
    ...head(8, 1, 5),
    ['u32', ...counts],
    ['u32', ...Array.from({ length: 12 }, (_, l) => sizes[Math.min(l, sizes.length - 1)])],
    ['f32', 1, 2, 3, 0.25],
    ['u32', 7],
    ['f32', 0.5, 4],
    ['u16', ...range(65500, 12)],
    ['i16', ...range(-9, 18)],
  );

const slice = bytes(
  ...head(9, 2, 5),
  ['u32', 11, 1, 3, 2, 1],
  ['f32', 1, 2, 3, 0.5, 0.25, 0.125, 0],
  ['i16', ...range(-3, 6)],
);
const isosurface = bytes(...head(10, 2, 5), ['u32', 12, 3, 1, 1], ['f32', 0.5, 0.25, ...range(1, 9)], ['u32', 2, 1, 0]);
const loadModes = (direction = [0, 0, -1]) =>
  bytes(...head(11, 3, 5), ['u32', 4, 2, 3, 0], ['f32', 2.5, ...direction, 0.5, 0.25], ['i16', ...range(-4, 7), -32768]);

test('JSON messages', () => {
  const welcome = decode(bytes(...head(1, 0, 4), ['text', '{"program": "tactus 0.1.0", "protocol": 1, "scenes": []}']));
  assert.deepEqual(welcome, { type: 'welcome', client: 4, program: 'tactus 0.1.0', protocol: 1, scenes: [] });
  const state = decode(bytes(...head(2, 0, 6), ['text', '{"phase": "gallery", "scene": null, "load": 9}']));
  assert.deepEqual(state, { type: 'state', load: 6, phase: 'gallery', scene: null });
  const notice = decode(bytes(...head(5, 0, 0), ['text', '{"kind": "info", "text": "Größe ≤ 3 µm"}']));
  assert.deepEqual(notice, { type: 'notice', kind: 'info', text: 'Größe ≤ 3 µm' });
});

test('a body', () => {
  const message = decode(body);
  has(message, { type: 'body', body: 2, load: 5, rest: range(0.5, 12), triangles: [0, 1, 2, 0, 2, 3], fixed: [3] });
  has(message, { volume: range(20, 6), edges: [0, 1] });
  assert.equal(message.rest.buffer, body); // not copied
});

test('a body whose indices are beyond its vertices', () => {
  const bad = (triangles, fixed, edges) => () =>
    decode(
      bytes(
        ...head(3, 0, 1),
        ['u32', 3, 1, 1, 2, 1, 0],
        ['f32', ...range(0, 9)],
        ['u32', ...triangles],
        ['u32', fixed],
        ['f32', ...range(0, 6)],
        ['u32', ...edges],
      ),
    );
  assert.doesNotThrow(bad([0, 1, 2], 2, [0, 1]));
  assert.throws(bad([0, 1, 3], 2, [0, 1]), /triangle of body 0 names vertex 3 of 3/);
  assert.throws(bad([0, 1, 2], 3, [0, 1]), /fixed vertex/);
  assert.throws(bad([0, 1, 2], 2, [0, 2]), /edge/);
});

test('a model', () => {
  const buffer = model();
  const message = decode(buffer);
  has(message, { type: 'model', model: 1, load: 5, size: 2, free: true, rest: range(0.5, 9), normals: range(100, 9) });
  has(message, { triangles: [0, 1, 2], fixed: [1], volume: range(20, 6), edges: [0, 1], bodies: [4, 7] });
  has(message, { poses: range(30, 14), scales: [0.5, 2, 0.25, 4], basis: range(-18, 36) });
  assert.equal(message.basis.buffer, buffer); // not copied
  assert.deepEqual(
    message.shapes.map(({ label, coordinates: c }) => [label, ...c]),
    [
      ['mode 1', 1, 0],
      ['Ä 1 2', 0.5, 0.25],
    ],
  );
});

test('an invalid model throws', () => {
  const bad = (changes) => () => decode(model(changes));
  assert.throws(bad({ triangles: [0, 1, 3] }), /triangle of model 1 names vertex 3 of 3/);
  assert.throws(bad({ fixed: [3] }), /fixed vertex of model 1/);
  assert.throws(bad({ edges: [0, 2] }), /edge of model 1/);
  assert.throws(bad({ text: 'mode 1' }), /1 labels for 2 shapes/);
  assert.throws(bad({ counts: { bodies: 2 ** 31 } }), /cut short/);
  assert.throws(bad({ counts: { size: 2 ** 31 } }), /cut short/);
  assert.throws(bad({ counts: { size: 0 } }), /0 coordinates/);
});

test('a rigid body', () => {
  const message = decode(rigid());
  has(message, { type: 'rigid', body: 6, load: 5, pose: range(1, 7), rest: range(0.5, 9), triangles: [0, 1, 2] });
  assert.throws(() => decode(rigid([0, 1, 3])), /triangle of rigid body 6 names vertex 3 of 3/);
});

test('a pointshell', () => {
  const buffer = shell();
  const message = decode(buffer);
  has(message, { type: 'shell', shell: 1, load: 5, size: 2, all: 70, step: 0.25, sizes: [1, 3], origin: [1, 2, 3] });
  has(message, { bodies: [7], scales: [0.5, 4], points: range(65500, 12), basis: range(-9, 18) });
  assert.equal(message.points.buffer, buffer); // not copied
  assert.throws(() => decode(shell({ sizes: [1, 2] })), /points beyond its levels/);
  assert.throws(() => decode(shell({ sizes: [4, 3] })), /has 4 of 3 points/);
  assert.throws(() => decode(shell({ counts: [3, 13, 2, 1, 70, 0] })), /13 levels/);
  assert.throws(() => decode(shell({ counts: [3, 2, 2, 0, 70, 0] })), /0 bodies/);
  assert.throws(() => decode(shell({ counts: [2 ** 31, 2, 2, 1, 70, 0] })), /cut short/);
});

test('slices and isosurfaces', () => {
  const cut = decode(slice);
  has(cut, { type: 'slice', body: 2, load: 5, number: 11, axis: 1, width: 3, height: 2, deformed: true });
  has(cut, { corner: [1, 2, 3], spacing: 0.5, scale: 0.25, voxel: 0.125, values: range(-3, 6) });
  const surface = decode(isosurface);
  has(surface, { type: 'isosurface', body: 2, number: 12, deformed: true, value: 0.5, spacing: 0.25, rest: range(1, 9) });
  has(surface, { triangles: [2, 1, 0] });
});

test('modes of loads', () => {
  const message = decode(loadModes());
  has(message, { type: 'loadModes', model: 3, load: 5, count: 4, loads: 3, most: 2.5, direction: [0, 0, -1] });
  has(message, { scales: [0.5, 0.25], values: [...range(-4, 7), NO_LOAD] });
  assert.equal(decode(loadModes([0, 0, 0])).direction, null); // along normals
});

test('a frame', () => {
  const sections = [tools, surface, field, stretch, numbers, sensors, coordinates, poses, pair, contacts, coupling];
  const buffer = frame(...sections, bodyNumbers, load);
  const message = decode(buffer);
  assert.equal(message.type, 'frame');
  assert.deepEqual([message.number, message.load, message.time, message.tick], [77, 3, 12.5, 2 ** 40 + 5]);

  assert.equal(message.tools.length, 2);
  const [first, second] = message.tools;
  has(first, { position: range(1, 3), orientation: range(4, 4), proxy: range(8, 3), force: range(11, 3), torque: range(14, 3) });
  has(first, { point: range(17, 3), normal: range(20, 3), penetration: 23, spring: range(24, 3) });
  has(first, { state: CONTACT.none, body: 0, led: true, lifted: true, grabs: false, client: 0 });
  has(second, { spring: [124, 125, 126], proxyOrientation: range(127, 4) });
  has(second, { state: CONTACT.grabbed, body: 1, led: true, lifted: false, grabs: true, client: 9 });

  const [moved] = message.surfaces;
  has(moved, { body: 1, count: 3, scale: 0.25 });
  assert.equal(moved.values.buffer, buffer); // not copied
  assert.deepEqual(
    [0, 1, 2].map((k) => [...moved.values.subarray(4 * k, 4 * k + 3)]), [[1, -2, 3], [32767, -32767, 0], [7, 8, 9]],
  );
  const octahedral = new Int8Array(buffer, moved.values.byteOffset, 24);
  assert.deepEqual(
    [0, 1, 2].map((k) => [octahedral[8 * k + 6], octahedral[8 * k + 7]]), [[5, -6], [127, -127], [0, 1]],
  );

  assert.deepEqual(
    message.fields.map(({ body: of, kind, scale, values }) => [of, kind, scale, [...values]]),
    [
      [1, FIELD.pressure, 1500, [0, 65535, 32768]],
      [1, FIELD.stretch, 1.5, [65535]],
    ],
  );
  assert.deepEqual(
    message.bodyNumbers.map(({ body: of, values }) => [of, [...values]]),
    [[2, [17, 0.25, 3, 0]]],
  );
  assert.deepEqual(
    message.loads.map(({ body: of, beyond, place, force }) => [of, beyond, [...place], [...force]]),
    [[2, true, [0.5, 0.25, -1], [3, 0, -4]]],
  );
  assert.deepEqual(message.numbers, {
    servoRate: 1000,
    displayRate: 60,
    tick: { p50: 1, p99: 2, p999: 3, max: 4 },
    lateness: { p99: 5, max: 6 },
    missedByComputation: 7,
    missedByLateness: 8,
    contacts: 9,
    clients: 10,
  });
  assert.deepEqual(message.traces, []);
  assert.deepEqual(
    message.sensors.map((s) => [s.body, [...s.values]]),
    [[0, [1, 2, 3, 4, 5, 6]]],
  );
  assert.deepEqual(
    message.coordinates.map((c) => [c.model, c.count, c.size, c.poses, [...c.values]]),
    [[1, 2, 3, true, range(0.5, 20)]],
  );
  assert.deepEqual(
    message.poses.map((each) => [each.body, ...each.values]),
    [
      [4, ...range(1, 7)],
      [9, ...range(8, 7)],
    ],
  );
  const [{ balls, points, ...counts }] = message.pairs;
  assert.deepEqual(counts, { pair: 1, level: 2, last: 3, visited: 400, touching: 50, deepest: 0.5, ballCount: 1 });
  assert.deepEqual([...points], range(10, 8));
  assert.equal(balls.byteLength, 20);
  assert.deepEqual([balls.getFloat32(12, true), balls.getUint16(16, true), balls.getUint16(18, true)], [23, 2, 1]);
  assert.deepEqual(
    message.contacts.map((c) => [...c.place, ...c.normal, ...c.force, c.friction, c.state, ...c.bodies]),
    [
      [...range(1, 10), CONTACT.sticks, 3, null],
      [...range(21, 10), CONTACT.slides, 0, 3],
    ],
  );
  const { count, most, values: sizes } = message.coupling;
  assert.deepEqual([count, most, [...sizes]], [1, 0.25, range(247, 9)]);
});

test('ticks, and that the program is there', () => {
  const { type, load, first, ticks: count, tools: traced, stride, values } = decode(ticks());
  assert.deepEqual([type, load, first, count, traced, stride, [...values]], ['ticks', 3, 4000, 2, 2, 10, range(0.5, 20)]);
  assert.throws(() => decode(ticks(3)), /3 ticks/);
  assert.deepEqual(decode(bytes(...head(12, 0, 0))), { type: 'beat' });
});

test('a frame of a paused world is marked as busy', () => {
  const marked = new Uint8Array(frame(sensors).slice(0));
  assert.equal(decode(marked.buffer).busy, false);
  marked[12] = 1;
  assert.equal(decode(marked.buffer).busy, true);
});

test('unknown sections are skipped, unknown messages ignored', () => {
  const message = decode(frame(section(900, ['u8', 1, 2, 3]), sensors));
  assert.equal(message.sensors.length, 1);
  assert.deepEqual([message.contacts, message.coupling], [null, null]);
  assert.equal(decode(bytes(...head(200, 0, 0))), null);
});

test('another version of the protocol is refused', () => {
  assert.throws(() => decode(bytes(...head(5, 0, 0, 2), ['text', '{}'])), /version 2 .* page 1/);
});

test('messages that are cut short throw wherever the cut is', () => {
  const notice = bytes(...head(5, 0, 0), ['text', '{"kind": "info", "text": "a"}']);
  const all = frame(tools, surface, field, numbers, sensors, coordinates, poses, pair, contacts, coupling, load);
  for (const whole of [notice, body, model(), rigid(), shell(), slice, isosurface, loadModes(), all]) {
    assert.doesNotThrow(() => decode(whole));
    for (let size = 0; size < whole.byteLength; ++size) {
      assert.throws(() => decode(whole.slice(0, size)), { name: 'Error' }, `${size} of ${whole.byteLength} bytes`);
    }
  }
});

test('sections with wrong counts throw', () => {
  const lie =
    (tag, ...parts) =>
    () =>
      decode(frame(section(tag, ...parts), sensors, sensors));
  assert.throws(lie(1, ['u32', 1, 0]), /tools/);
  assert.throws(lie(2, ['u32', 0, 1], ['f32', 1], ['u32', 0]), /surface/);
  assert.throws(lie(3, ['u32', 0, 1], ['f32', 1], ['u32', 4]), /field/);
  assert.throws(lie(4, ['f32', 1]), /numbers/);
  assert.throws(lie(6, ['u32', 0, 2 ** 32 - 1]), /sensor/);
  assert.throws(lie(7, ['u32', 0, 2 ** 32 - 1, 2 ** 32 - 1, 1]), /coordinates/);
  assert.throws(lie(8, ['u32', 2 ** 32 - 1, 0]), /poses/);
  assert.throws(lie(9, ['u32', 0, 0]), /pair/);
  assert.throws(lie(10, ['u32', 2 ** 32 - 1, 0]), /contacts/);
  assert.throws(lie(11, ['u32', 2 ** 32 - 1], ['f32', 0]), /coupling/);
  assert.throws(lie(13, ['u32', 0, 0]), /load/);
  assert.throws(lie(9, ['u32', 0, 0, 0, 0, 0, 2 ** 32 - 1, 2 ** 32 - 1], ['f32', 0]), /pair/);
  assert.throws(
    () => decode(bytes(...head(4, 1, 0), ['u32', 0, 0], ['f64', 0], ['u64', 0], ['u32', 9, 4], ['u32', 0])),
    /multiple of 8/,
  );
});

test('what the page sends', () => {
  const same = (actual, ...parts) => assert.deepEqual(Buffer.from(actual), Buffer.from(bytes(...parts)));
  same(encodePointer({ tool: 3, touch: true, grab: true, position: [1, 2, 3], orientation: [0, 2, 0, 0] }), ...head(64, 3, 3),
    ['f32', 1, 2, 3, 0, 1, 0, 0]);
  same(encodePointer({ tool: 0, position: [0.5, 0, 0] }), ...head(64, 0, 0), ['f32', 0.5, 0, 0, 1, 0, 0, 0]);
  same(encodeShown(123456, REQUEST.surfaces | REQUEST.pressure), ...head(65, 5, 123456));
  same(encodeCommand(COMMAND.open, { text: 'kidney.yaml' }), ...head(66, 1, 0), ['f64', 0], ['text', 'kidney.yaml']);
  same(encodeCommand(COMMAND.parameter, { index: 7, value: 0.125 }), ...head(66, 10, 7), ['f64', 0.125]);
  same(encodeCommand(COMMAND.record, { index: 3, value: 1 }), ...head(66, 6, 3), ['f64', 1]);
  same(encodeAsk({ body: 2, number: 9, what: ASK.isosurface, value: -0.5 }), ...head(67, 2, 9), ['u32', 3], ['f32', -0.5]);
  same(encodeCommand(COMMAND.pause, { value: true }), ...head(66, 3, 0), ['f64', 1]);
});

test('what the server would close the connection for is not sent', () => {
  assert.throws(() => encodePointer({ tool: 0, position: [NaN, 0, 0] }), /finite/);
  assert.throws(() => encodePointer({ tool: 0, position: [0, 0, 0], orientation: [0, 0, 0, 0] }), /finite/);
  assert.throws(() => encodeCommand(COMMAND.seek, { value: Infinity }), /finite/);
  assert.throws(() => encodeAsk({ body: 0, number: 1, what: ASK.x, value: NaN }), /within 1 km/);
  assert.equal(encodeCommand(COMMAND.open, { text: 'x'.repeat(512) }).byteLength, 528);
  assert.throws(() => encodeCommand(COMMAND.open, { text: 'ä'.repeat(257) }), /514 bytes/);
});
