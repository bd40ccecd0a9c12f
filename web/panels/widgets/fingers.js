const coarse = matchMedia('(pointer: coarse)');
const fine = matchMedia('(any-pointer: fine)');

/** Whether people point with their fingers: they are told of fingers then, not of wheels and mouse buttons. */
export function byFingers() {
  return coarse.matches;
}

/** Whether there may be a mouse, too. */
export function mayHaveMouse() {
  return fine.matches || !coarse.matches;
}

/** Calls `act` when that changes: a mouse is plugged in, a tablet is taken off its keyboard. */
export function onPointing(act) {
  coarse.addEventListener('change', act);
  fine.addEventListener('change', act);
}
