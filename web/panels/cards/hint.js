import { element } from '../widgets/element.js';
import { byFingers, onPointing } from '../widgets/fingers.js';

const kept = 'tactus.pressed';
const words = {
  press: {
    fingers: 'Press on the body and drag; a second finger presses deeper, Pull grabs it.',
    mouse: 'Press on the body and drag; the wheel presses deeper, Pull grabs it.',
  },
  hold: {
    fingers: 'Drag the body that you hold; a second finger turns it.',
    mouse: 'Drag the body that you hold; the right button turns it, the wheel moves it farther and nearer.',
  },
};

/** On a first visit: what to do. Gone with the first press. */
export function hint(view) {
  const made = element('p', { className: 'hint', hidden: localStorage.getItem(kept) !== null });
  const show = () => {
    const { tools = [] } = view.world ?? {};
    const holds = tools.length > 0 && tools.every((tool) => Number.isInteger(tool.body));
    made.textContent = words[holds ? 'hold' : 'press'][byFingers() ? 'fingers' : 'mouse'];
  };
  view.addEventListener('load', show);
  onPointing(show);
  show();
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
