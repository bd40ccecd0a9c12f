// How contacts are ordered so that what is coupled stands together.
import assert from 'node:assert/strict';
import test from 'node:test';
import { coupledOrder } from '../../web/panels/coupled_order.js';

/** W of contacts on legs: `legs[i]` is that of contact i; those of one leg are coupled by `near`, others by `far`. */
function delassus(legs, near, far) {
  const width = 3 * legs.length;
  const values = new Uint8Array(width * width);
  legs.forEach((leg, i) =>
    legs.forEach((other, j) => {
      for (let a = 0; a < 3; ++a) values[(3 * i + a) * width + 3 * j + a] = i === j ? 255 : leg === other ? near : far;
    }),
  );
  return values;
}

test('contacts of one leg stand together, whatever their order was', () => {
  for (const legs of [
    [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3],
    [3, 0, 0, 2, 1, 3, 2, 2, 1, 0, 1, 3],
  ]) {
    const order = coupledOrder(legs.length, delassus(legs, 60, 5));
    assert.deepEqual([...order].sort((a, b) => a - b), [...legs.keys()]);
    const changes = order.filter((contact, k) => k > 0 && legs[contact] !== legs[order[k - 1]]);
    assert.equal(changes.length, 3);
  }
});

test('softer contacts are judged by their own compliance', () => {
  const legs = [0, 1, 0, 1];
  const values = delassus(legs, 60, 5);
  const width = 12;
  for (let a = 0; a < 3; ++a) values[(3 + a) * width + 3 + a] = values[(9 + a) * width + 9 + a] = 64; // those of leg 1
  assert.deepEqual(coupledOrder(4, values), [0, 2, 1, 3]);
});

test('no contacts, and contacts that do not give way', () => {
  assert.deepEqual(coupledOrder(0, new Uint8Array(0)), []);
  assert.deepEqual(coupledOrder(2, new Uint8Array(36)), [0, 1]);
});
