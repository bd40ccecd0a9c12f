import { element } from './element.js';
import { icon } from './icon.js';

/**
 * A button with an icon, and with its text beside it where `wide`.
 * @param {string} label its name @param {string} picture @param {() => void} act
 * @param {{wide?: boolean, keys?: string, className?: string}} [look] `keys`: the shortcut, for the tooltip
 */
export function button(label, picture, act, { wide = false, keys = '', className = '' } = {}) {
  const made = element('button', { type: 'button', className: `button ${className}`, onclick: act });
  made.append(icon(picture));
  if (wide) made.append(element('span', {}, label));
  relabel(made, label, keys);
  return made;
}

/** Gives a button another name, and another icon where `picture` is given. */
export function relabel(made, label, keys = '', picture = '') {
  const tip = keys ? `${label} (${keys})` : label;
  if (made.title === tip) return;
  made.title = tip;
  const text = made.querySelector('span');
  if (text) text.textContent = label;
  else made.setAttribute('aria-label', label);
  if (keys) made.setAttribute('aria-keyshortcuts', keys);
  if (picture) made.querySelector('svg').replaceWith(icon(picture));
}
