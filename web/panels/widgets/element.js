/**
 * Makes an element. `properties`: `onclick` and the like become listeners, what the element has as a property is set,
 * the rest becomes attributes; null and undefined are left out, among the children too.
 * @param {string} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|null|undefined)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Sets the text only where it differs: an unchanged text costs no layout and is not read out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

let last = 0;

/** An id that nothing else on the page has. */
export function newId() {
  return `n${++last}`;
}
