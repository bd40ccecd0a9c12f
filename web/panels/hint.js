import { element } from './element.js';

const kept = 'tactus.pressed';

/** On a first visit: what to do. Gone with the first press. */
export function hint(view) {
  const touch = matchMedia('(pointer: coarse)').matches;
  const text = touch
    ? 'Press on the body and drag. Pull takes hold of it.'
    : 'Press on the body and drag; the wheel presses deeper, Pull takes hold of it.';
  const made = element('p', { className: 'hint', hidden: localStorage.getItem(kept) !== null }, text);
  view.element.addEventListener(
    'pointerdown',
    () => {
      localStorage.setItem(kept, 'yes');
      made.hidden = true;
    },
    { once: true },
  );
  return made;
}
