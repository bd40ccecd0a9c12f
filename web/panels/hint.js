import { element } from './element.js';

const kept = 'tactus.pressed';

/** On a first visit: what to do. Gone with the first press. */
export function hint(view) {
  const touch = matchMedia('(pointer: coarse)').matches;
  const text = touch
    ? 'Press on the body and drag. Pull takes hold of it.'
    : 'Press on the body and drag; the wheel presses deeper, Pull takes hold of it.';
  const held = touch
    ? 'Drag the body that you hold; a second finger turns it.'
    : 'Drag the body that you hold; the right button turns it, the wheel takes it farther and nearer.';
  const made = element('p', { className: 'hint', hidden: localStorage.getItem(kept) !== null }, text);
  view.addEventListener('load', () => {
    const { tools = [] } = view.world ?? {};
    made.textContent = tools.length > 0 && tools.every((tool) => Number.isInteger(tool.body)) ? held : text;
  });
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
