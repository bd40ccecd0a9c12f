/**
 * An order in which contacts that are coupled stand together: each next one is the one most coupled to any before.
 * @param {number} count of contacts, m
 * @param {ArrayLike<number>} values [3 m][3 m], sizes of W; any scale
 * @returns {number[]} the m contacts
 */
export function coupledOrder(count, values) {
  const width = 3 * count;
  const size = (i, j) => {
    let most = 0;
    for (let a = 0; a < 3; ++a) {
      for (let b = 0; b < 3; ++b) most = Math.max(most, values[(3 * i + a) * width + 3 * j + b]);
    }
    return most;
  };
  const own = Array.from({ length: count }, (_, i) => size(i, i));
  const nearest = new Array(count).fill(-1); // by how much a contact is coupled to any that stands
  const order = [];
  const left = new Set(own.keys());
  while (left.size > 0) {
    let next = -1;
    for (const i of left) if (next < 0 || nearest[i] > nearest[next]) next = i;
    left.delete(next);
    order.push(next);
    for (const i of left) {
      const scale = Math.sqrt(own[i] * own[next]);
      nearest[i] = Math.max(nearest[i], scale > 0 ? size(i, next) / scale : 0);
    }
  }
  return order;
}
