import { handy, number } from './quantity.js';

/** A force in a handy unit, without digits that say nothing: "4 N". @param {number} size N */
export function sizeText(size) {
  const { unit, factor } = handy('N', size);
  return `${+(size * factor).toPrecision(3)} ${unit}`;
}

/**
 * A load and its share of the largest that was baked: "1.62 N, 0.40 of 4 N". Both N.
 * @param {number} size
 * @param {number} most
 */
export function loadText(size, most) {
  const { unit, factor } = handy('N', most);
  const share = size / most;
  const digits = share < 9.995 ? share.toFixed(2) : number(share);
  return `${number(size * factor)} ${unit}, ${digits} of ${sizeText(most)}`;
}
