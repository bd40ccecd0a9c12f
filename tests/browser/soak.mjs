// Plays with the viewer at random for some minutes and watches the program: node soak.mjs [MINUTES (default 10)] [SEED]
// Fails where its memory grows by more than 3 % after the first fifth, a tick took longer than it may, or a page has an
// error. TACTUS_BUILD is the folder of the build (default build/release).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program, command, openPage, sleep, startBrowser } from './browser.mjs';

const minutes = Number(process.argv[2] ?? 10);
let seed = Number(process.argv[3] ?? 1);
/** Uniform in [0, 1), the same for the same seed (a linear congruential generator). */
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const choose = (list) => list[Math.floor(random() * list.length)];

const folder = mkdtempSync(join(tmpdir(), 'tactus-soak-'));
const browser = await startBrowser();
const program = await Program.start(['scenes/kidney.yaml', '-o', folder]);
const page = await openPage(browser, program.url, { draws: true });
let second = null;
const problems = [];

const somewhere = async () => {
  const box = await page.locator('#view canvas').boundingBox();
  return [box.x + box.width * (0.3 + 0.4 * random()), box.y + box.height * (0.3 + 0.4 * random())];
};

const acts = {
  async drag() {
    await page.mouse.move(...(await somewhere()));
    await page.mouse.down();
    for (let i = 0; i < 4; ++i) await page.mouse.move(...(await somewhere()), { steps: 8 });
    await page.mouse.up();
  },
  async wheel() {
    await page.mouse.move(...(await somewhere()));
    await page.mouse.down();
    for (let i = 0; i < 5; ++i) await page.mouse.wheel(0, 200 * (random() - 0.5));
    await sleep(0.3);
    await page.mouse.up();
  },
  async parameter() {
    const parameters = await page.evaluate(() => tactus.state.parameters);
    if (!parameters.length) return;
    const index = Math.floor(random() * parameters.length);
    const { least, most } = parameters[index];
    await command(page, 'parameter', { index, value: least + random() * (most - least) });
  },
  async layer() {
    await page.evaluate((share) => {
      const layers = tactus.view.layers;
      const layer = layers[Math.floor(share * layers.length)];
      tactus.view.setLayer(layer.id, !layer.enabled);
    }, random());
  },
  async colour() {
    const colour = choose(['plain', 'displacement', 'stress', 'stretch', 'pressure']);
    await page.evaluate((colour) => (tactus.view.colour = colour), colour);
  },
  async turn() {
    await page.keyboard.press('v');
  },
  async pause() {
    await command(page, 'pause', { value: 1 });
    await command(page, 'step', { value: 1 + Math.floor(random() * 100) });
    await command(page, 'pause', { value: 0 });
  },
  async record() {
    const recording = await page.evaluate(() => tactus.state.recording);
    await command(page, 'record', { value: recording ? 0 : 1 });
  },
  async open() {
    await command(page, 'open', { text: choose(['kidney.yaml', 'nodule.yaml', 'kidney.yaml']) });
    await sleep(0.5);
  },
  async reload() {
    await command(page, 'reload');
    await sleep(0.5);
  },
  async refresh() {
    await page.reload();
    await page.waitForFunction(() => window.tactus?.connection.link === 'open');
  },
  async company() {
    if (second) {
      problems.push(...second.problems);
      await second.context().close();
      second = null;
    } else {
      second = await openPage(browser, program.url, { draws: true });
    }
  },
};
const often = ['drag', 'drag', 'drag', 'drag', 'wheel', 'wheel', 'parameter', 'parameter', 'layer', 'colour', 'turn',
  'pause'];
const seldom = ['record', 'open', 'reload', 'refresh', 'company'];

for (let i = 0; i < 2; ++i) for (const act of Object.values(acts)) await act(); // whatever is made once is made now

const start = performance.now();
const passed = () => (performance.now() - start) / 60000; // minutes
const samples = [];
let missed = 0, counted = 0, sampled = -Infinity, drawn = 0, since = start;
console.log('  min   memory, MB   missed by computation   by lateness   pictures/s   tick max, ms');
while (passed() < minutes) {
  await acts[choose(random() < 0.9 ? often : seldom)]();
  const now = await page.evaluate(() => {
    const { frame, missed } = seen;
    return { numbers: frame?.numbers, drawn: tactus.connection.drawn, missed };
  });
  missed += Math.max(0, now.missed - counted);
  counted = now.missed; // a page that was read again counts anew
  if (performance.now() - sampled < Math.max(1000, 600 * minutes)) continue;
  sampled = performance.now();
  const rate = now.drawn > drawn ? (1000 * (now.drawn - drawn)) / (sampled - since) : NaN;
  [drawn, since] = [now.drawn, sampled];
  const sample = { minute: passed(), memory: program.memory() / 1000, ...now.numbers };
  samples.push(sample);
  const cells = [sample.minute.toFixed(1), sample.memory.toFixed(1), missed, sample.missedByLateness ?? '',
    rate.toFixed(1), ((sample.tick?.max ?? NaN) * 1000).toFixed(3)];
  console.log(cells.map((cell, i) => String(cell).padStart([5, 13, 24, 14, 13, 15][i])).join(''));
}
for (const each of [page, second]) if (each) problems.push(...each.problems);
await browser.close();
await program.stop();
rmSync(folder, { recursive: true });

const most = (list) => Math.max(...list.map((sample) => sample.memory));
const [warm, late] = [0.2, 0.8].map((share) => samples.filter((sample) => sample.minute > share * minutes));
const growth = late.length ? most(late) / most(warm.filter((sample) => sample.minute < 0.6 * minutes)) - 1 : 0;
const faults = [];
if (growth > 0.03) faults.push(`memory grew by ${(100 * growth).toFixed(1)} %`);
if (missed > 0) faults.push(`${missed} ticks took longer than they may`);
if (problems.length) faults.push(`errors in a page:\n${problems.join('\n')}`);
const fine = `fine: memory grew by ${(100 * growth).toFixed(1)} %, no tick took too long`;
console.log(faults.length ? faults.join('\n') : fine);
process.exit(faults.length ? 1 : 0);
