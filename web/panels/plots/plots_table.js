import { CHANNEL, place } from './history.js';

const ofTick = [
  ['tick time', 's', CHANNEL.time],
  ['lateness', 's', CHANNEL.lateness],
];
const ofTool = [
  ['force', 'N', CHANNEL.force],
  ['asked', 'N', CHANNEL.asked],
  ['limited', '', CHANNEL.limited],
  ['penetration', 'm', CHANNEL.penetration],
  ['energy', 'J', CHANNEL.energy],
];

/**
 * What the plots show as a table, with commas: a row for each tick or, of what is older, for each of the shortest stretches
 * that are kept, with the least and the greatest. Rows of gaps are left out.
 * @param {import('./history.js').History} history
 * @param {[number, number]} window s
 * @param {string[]} tools names
 */
export function plotsTable(history, [from, to], tools) {
  const columns = [
    ...ofTick.map(([label, unit, channel]) => ({ label, unit, at: channel })),
    ...tools.flatMap((name, tool) =>
      ofTool.map(([label, unit, channel]) => ({ label: `${name} ${label}`, unit, at: place(channel, tool) })),
    ),
  ];
  const whole = history.whole(from);
  const { times, low, high, seconds } = history.stretches(from, to, columns.map(({ at }) => at));
  const title = ({ label, unit }, which) => quote([label, which, unit && `(${unit})`].filter(Boolean).join(' '));
  const head = columns.flatMap((column) =>
    whole ? [title(column, '')] : [title(column, 'least'), title(column, 'greatest')],
  );
  const rows = times.flatMap((time, i) => {
    if (low[0][i] === null || time < from - seconds) return [];
    const values = columns.flatMap((_, k) => (whole ? [low[k][i]] : [low[k][i], high[k][i]]));
    return [[+time.toFixed(6), ...values.map((value) => +value.toPrecision(7))].join(',')];
  });
  return [['time (s)', ...head].join(','), ...rows, ''].join('\n');
}

function quote(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
