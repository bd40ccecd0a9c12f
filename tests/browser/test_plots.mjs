// What plots keep and show: long times in little memory, one cursor for all, zoom, files; and the arrow's and the plots' force
// are one.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { CHANNEL, History, curvesThrough, place } from '../../web/panels/plots/history.js';
import { plotsTable } from '../../web/panels/plots/plots_table.js';
import {
  Program, command, endAll, makeFolder, openPage, save, shoot, source, startBrowser, until,
} from './browser.mjs';

/** Consecutive ticks of one tool, whose force is `force(tick)`; `asked`: of limited ticks, -1 of others. */
function ticks(first, count, force, asked = () => -1) {
  const stride = 6;
  const values = new Float32Array(stride * count);
  for (let i = 0; i < count; ++i) values.set([1e-5, 2e-5, force(first + i), 1e-3, 2e-3, asked(first + i)], stride * i);
  return [{ first, ticks: count, tools: 1, stride, values }];
}
const FORCE = place(CHANNEL.force, 0);

test('a peak of one tick is seen in a window of any length, long after', () => {
  const history = new History(1000, 1);
  const peak = 5003;
  for (let first = 0; first < 15e5; first += 10000) history.add(ticks(first, 10000, (tick) => (tick === peak ? 7 : 1)));
  const all = history.stretches(0, 1500, [FORCE], 500);
  assert.ok(all.times.length <= 1000, `${all.times.length} stretches`);
  const at = all.high[0].findIndex((value) => value === 7);
  assert.ok(all.times[at] <= 5.003 && 5.003 < all.times[at] + all.seconds, `found at ${all.times[at]} s`);
  assert.equal(all.high[0].filter((value) => value === 7).length, 1);
  assert.equal(all.low[0][at], 1);
  const curve = curvesThrough(all, 10)[1];
  assert.equal(Math.max(...curve), 70);
  assert.equal(history.at(5.003).high[FORCE], 7);
  assert.equal(history.at(1499.5).high[FORCE], 1);
  assert.deepEqual(history.extent, [0, 1499.999]);
});

test('missing ticks are gaps, and a replay may jump', () => {
  const history = new History(1000, 1);
  history.add(ticks(0, 100, () => 1));
  history.add(ticks(200, 100, () => 2));
  const { times, low } = history.stretches(0, 0.3, [FORCE]);
  assert.equal(times.length, 300);
  assert.deepEqual([99, 100, 199, 200].map((tick) => low[0][tick]), [1, null, null, 2]);
  assert.equal(history.at(0.15)?.high[FORCE] ?? null, 2, 'only the stretch of the next level knows more');
  history.add(ticks(50, 10, () => 3));
  assert.equal(history.stretches(0, 0.3, [FORCE]).high[0][55], 3);
  assert.equal(history.stretches(0, 0.3, [FORCE]).low[0][250], 2);
  assert.equal(history.latest.high[FORCE], 3);
});

test('tables have every tick, or the least and the greatest of stretches', () => {
  const history = new History(1000, 1);
  history.add(ticks(0, 1000, (tick) => 0.001 * tick, (tick) => (tick === 501 ? 9.5 : -1)));
  const lines = plotsTable(history, [0.5, 0.503], ['finger, left']).trim().split('\n');
  assert.equal(lines.length, 5);
  assert.match(lines[0], /^time \(s\),tick time \(s\),lateness \(s\),"finger, left force \(N\)","finger, left asked \(N\)"/);
  assert.deepEqual(lines.slice(1, 3).map((line) => line.split(',').slice(0, 6)), [
    ['0.5', '0.00001', '0.00002', '0.5', '0.5', '0'],
    ['0.501', '0.00001', '0.00002', '0.501', '9.5', '1'],
  ]);
  for (let first = 1000; first < 60000; first += 1000) history.add(ticks(first, 1000, (tick) => 0.001 * tick));
  const older = plotsTable(history, [0, 1], ['finger']).trim().split('\n');
  assert.match(older[0], /finger force least \(N\),finger force greatest \(N\)/);
  assert.deepEqual(older[2].split(',').slice(0, 7), ['0.016', '0.00001', '0.00001', '0.00002', '0.00002', '0.016', '0.031']);
});

/** The gallery's nodule, which a hand with a weak device presses so deep that the device cannot render it, again and again: a
 * page may come when it is inside. */
function pressedNodule(folder) {
  const scene = readFileSync(join(source, 'scenes/nodule.yaml'), 'utf8');
  const path = `path:
        - {on: nodule, near: [0, 0, 80 mm], depth: -12 mm, after: 0.5 s}
        - {on: nodule, near: [0, 0, 80 mm], depth: 25 mm, after: 1 s}
        - {on: nodule, near: [0, 0, 80 mm], depth: 25 mm, after: 8 s}
`;
  const file = join(folder, 'pressed.yaml');
  const weak = scene.slice(0, scene.indexOf('path:')).replace('preset: premium-3', 'preset: omni\n      hand: {stiffness: 2000 N/m}');
  writeFileSync(file, weak + path);
  return file;
}

test('arrow and plot show one force, with a cursor, zoom and files', async () => {
  const folder = makeFolder('plots');
  const program = await Program.start([pressedNodule(folder)]);
  const browser = await startBrowser();
  const page = await openPage(browser, program.url, { viewport: { width: 1000, height: 700 }, deviceScaleFactor: 0.25 });
  await until('the scene runs', () => page.evaluate(() => seen.frame?.tick > 100));
  await command(page, 'demo', { value: 1 });
  const plots = page.getByRole('group', { name: 'Plots over time' });
  const force = page.locator('.plot').first();
  const values = () => force.locator('.values').innerText();
  await until('the limit is reached and shown', async () => /^[\d.]+ of [\d.]+$/.test(await values()));
  await until('the label and the plot tell the same, of what is there and what was asked for', () => page.evaluate(() => {
    const { forceLabel } = tactus.view.element.dataset;
    const label = /^([\d.]+) N, limited, of ([\d.]+) N$/.exec(forceLabel);
    const plot = /^([\d.]+) of ([\d.]+)$/.exec(document.querySelector('.plot .values').textContent);
    return label && plot && [1, 2].every((k) => Math.abs(label[k] - plot[k]) < 0.06);
  }));
  const limit = await page.evaluate(() => tactus.state.scene.tools[0].force_limit);
  assert.ok(Math.abs(parseFloat(await values()) - limit) < 0.06, `${await values()} of a device that renders ${limit} N`);
  await shoot(page, 'plots-limited');

  // One cursor: every plot tells of its time, and stands still there while held.
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  const chart = await force.locator('.u-over').boundingBox();
  await page.mouse.move(chart.x + 3, chart.y + 0.5 * chart.height);
  const time = page.getByLabel('Time of the values');
  await until('the time is shown', async () => /^at \d+\.\d{3} s$/.test(await time.innerText()));
  const texts = await page.evaluate(() => [...document.querySelectorAll('.plot .values')].map((each) => each.textContent));
  assert.equal(texts.length, 4);
  const lefts = await page.evaluate(() => [...document.querySelectorAll('.u-cursor-x')].map((line) => line.style.transform));
  assert.ok(lefts.every((left) => left === lefts[0] && !left.includes('-10')), lefts.join());

  // A drag chooses a stretch of time, the wheel less of it, a double click goes back.
  await page.mouse.move(chart.x + 0.5 * chart.width, chart.y + 10);
  await page.mouse.down();
  await page.mouse.move(chart.x + 0.75 * chart.width, chart.y + 10, { steps: 4 });
  await page.mouse.up();
  const seconds = async () => {
    const [from, to] = (await plots.getAttribute('data-window')).split(' ').map(Number);
    return to - from;
  };
  await until('a quarter of the time is shown', async () => Math.abs((await seconds()) - 2.5) < 0.1);
  await page.mouse.wheel(0, -200);
  await until('the wheel shows less', async () => (await seconds()) < 2);
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();

  const file = async (name) => {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
    return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
  };
  const table = await file('Save the numbers (CSV)');
  assert.match(table.name, /^nodule-.*s\.csv$/);
  const [head, ...rows] = table.bytes.toString().trim().split('\n');
  assert.ok(head.includes('probe force (N)') && rows.length > 100, `${rows.length} rows: ${head}`);
  const picture = await file('Save the plots (PNG)');
  assert.deepEqual([...picture.bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  save('plots-saved', picture.bytes);

  await page.mouse.dblclick(chart.x + 0.5 * chart.width, chart.y + 10);
  await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();
  await page.mouse.move(10, 10);
  await page.getByRole('radio', { name: '1 min', exact: true }).check({ force: true });
  await until('a minute is shown', async () => Math.abs((await seconds()) - 60) < 1);

  // By keys.
  await plots.focus();
  await page.keyboard.press('ArrowLeft');
  assert.match(await time.innerText(), /^at/);
  await page.keyboard.press('Escape');
  assert.equal(await time.innerText(), '');
  await endAll(page, browser, program);
});
