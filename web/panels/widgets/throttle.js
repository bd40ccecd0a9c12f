/** Calls `act` at once, but not more often than every `interval` milliseconds; the last call is never lost. */
export function throttle(act, interval = 50) {
  let timer = 0;
  let waiting = null;
  const run = () => {
    timer = 0;
    if (!waiting) return;
    const values = waiting;
    waiting = null;
    timer = setTimeout(run, interval);
    act(...values);
  };
  return (...values) => {
    waiting = values;
    if (!timer) run();
  };
}
