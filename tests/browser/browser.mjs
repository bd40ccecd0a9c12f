// What the tests in a browser share: the program as a child process, Chromium, pages whose every error counts, and
// pictures that are compared with references.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMAND } from '../../web/protocol/protocol.js';

const here = fileURLToPath(new URL('.', import.meta.url));
export const source = join(here, '../..');
export const build = process.env.TACTUS_BUILD ?? join(source, 'build/release');
export const tactus = join(build, 'tactus');
const screenshots = join(build, 'screenshots');
const references = join(here, 'references');
const cache = process.env.TACTUS_TEST_CACHE ?? join(build, 'test-cache'); // baked assets, shared with other tests of a run

/** Whether everything is wanted, which takes long: pages draw what they show, and pictures of them are kept. */
export const all = process.env.TACTUS_TEST_ALL === '1';

export const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

const timeout = 300; // s; waiting ends when the thing waited for has happened, this is for what never does

/** Asks again and again until `ask` gives something true, which is returned. */
export async function until(what, ask) {
  const end = performance.now() + 1000 * timeout;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) assert.fail(`waited ${timeout} s: ${what}`);
    await sleep(0.03);
  }
}

/** Runs the program to its end: {status, out, err}. */
export function run(...args) {
  const result = spawnSync(tactus, [...args, '--cache', cache], { encoding: 'utf8', timeout: 1000 * timeout });
  return { status: result.status, out: result.stdout, err: result.stderr };
}

const children = new Set(); // none outlives a test that fails
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

const folders = [];
process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A new folder, which goes with the test. */
export function makeFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `tactus-${name}-`));
  folders.push(folder);
  return folder;
}

/** `tactus view`, serving. Its address is the first line that it prints. */
export class Program {
  /** @param {string[]} args @param {{port?: number, cwd?: string}} [options] */
  static async start(args = [], { port = 0, cwd = source } = {}) {
    const program = new Program();
    const all = ['view', ...args, '--no-open', '--full', '--port', String(port), '--cache', cache];
    program.child = spawn(tactus, all, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(program.child);
    program.child.on('close', () => children.delete(program.child));
    program.printed = '';
    for (const stream of [program.child.stdout, program.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (program.printed += text));
    }
    program.ended = new Promise((resolve) => program.child.on('close', (status, signal) => resolve({ status, signal })));
    let ended = null;
    program.ended.then((how) => (ended = how));
    const address = await until('the program prints its address', () => {
      assert.equal(ended, null, `tactus ${all.join(' ')} ended\n${program.printed}`);
      return /^viewer: (http:\S+)$/m.exec(program.printed);
    });
    program.url = new URL(address[1]);
    return program;
  }

  get pid() {
    return this.child.pid;
  }

  /** Kilobytes of memory that it holds. */
  memory() {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]);
  }

  /** As Ctrl-C does; it has to say goodbye properly. */
  async stop() {
    this.child.kill('SIGINT');
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10000);
    const how = await this.ended;
    clearTimeout(late);
    assert.deepEqual(how, { status: 0, signal: null }, `after SIGINT; it printed\n${this.printed}`);
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Chromium with WebGL in software, so that pictures do not depend on the machine. */
export async function startBrowser() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  assert.ok(executablePath, 'Chromium is not installed: scripts/setup tests');
  const { chromium } = createRequire(join(source, 'web/package.json'))('playwright-core');
  const args = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--font-render-hinting=none',
    '--disable-gpu-compositing']; // the rest of the page is put together several times as fast without WebGL
  return chromium.launch({ executablePath, args });
}

/**
 * Runs in the page before its own scripts: `seen` keeps what came over the connection (of `tactus`, which pages offer
 * with ?test). `seen.trace` has a [force, penetration] of the first tool for each tick, `seen.missed` counts ticks that
 * took too long.
 */
function see() {
  const empty = () => ({ bodies: [], models: [], geometry: {}, surfaces: [], fields: [], trace: new Map() });
  const seen = (window.seen = { ...empty(), frame: null, load: -1, missed: 0 });
  let offered;
  Object.defineProperty(window, 'tactus', {
    get: () => offered,
    set: (tactus) => {
      offered = tactus;
      const { connection } = tactus;
      connection.addEventListener('state', ({ detail: { load } }) => {
        if (load !== seen.load) Object.assign(seen, empty(), { load });
      });
      connection.addEventListener('body', ({ detail }) => (seen.bodies[detail.body] = detail));
      for (const type of ['rigid', 'shell', 'slice', 'isosurface']) {
        connection.addEventListener(type, ({ detail }) => (seen.geometry[type] = detail));
      }
      connection.addEventListener('model', ({ detail }) => (seen.models[detail.model] = detail));
      connection.addEventListener('frame', ({ detail: frame }) => {
        const [before, now] = [seen.frame, frame].map((each) => each?.numbers?.missedByComputation ?? 0);
        seen.missed += now >= before ? now - before : now; // counted from zero with every start of the world
        seen.frame = frame;
        for (const surface of frame.surfaces) seen.surfaces[surface.body] = surface;
        for (const field of frame.fields) seen.fields[field.kind] = field;
        for (const { first, ticks, stride, values } of frame.traces) {
          for (let i = 0; i < ticks; ++i) seen.trace.set(first + i, [values[i * stride + 2], values[i * stride + 3]]);
        }
        for (const tick of seen.trace.keys()) {
          if (seen.trace.size <= 30000) break;
          seen.trace.delete(tick);
        }
      });
    },
  });
  /** How far the vertex next to a point of the deformed surface is from its rest, m. */
  seen.displacementAt = (body, point) => {
    const { rest } = seen.bodies[body];
    const surface = seen.surfaces[body];
    let least = Infinity, moved = 0;
    for (let v = 0; surface && v < surface.count; ++v) {
      const d = [0, 1, 2].map((k) => (surface.scale * surface.values[4 * v + k]) / 32767);
      const distance = Math.hypot(...d.map((x, k) => rest[3 * v + k] + x - point[k]));
      if (distance < least) [least, moved] = [distance, Math.hypot(...d)];
    }
    return moved;
  };
}

/**
 * Runs in the page before its own scripts: until `seen.draws`, the view's pictures stay empty, but for the few pixels of those that find
 * what is under the pointer: SwiftShader makes code for every shader that draws, which takes most of a test's time. Shaders are still
 * compiled and linked, so that a mistake in one is told.
 */
function drawNothing() {
  seen.draws = false;
  const widest = 16; // pixels of what is still drawn
  const context = WebGL2RenderingContext.prototype;
  const { viewport } = context;
  const small = new WeakSet();
  context.viewport = function (x, y, width, height) {
    small[width <= widest ? 'add' : 'delete'](this);
    viewport.call(this, x, y, width, height);
  };
  for (const name of ['drawArrays', 'drawElements', 'drawRangeElements', 'drawArraysInstanced', 'drawElementsInstanced']) {
    const draw = context[name];
    context[name] = function (...args) {
      if (small.has(this) || seen.draws) draw.apply(this, args);
    };
  }
}

/** Lets a page draw from now on. */
export const draw = (page) => page.evaluate(() => {
  seen.draws = true;
  tactus.view.renderer.shadowMap.needsUpdate = true;
  tactus.view.invalidate();
});

/** A page of its own context, with `page.problems`: all that a console would show in red. `draws`: whether its view does. */
export async function openPage(browser, url, { draws = all, ...options } = {}) {
  // Half the pixels in each direction: drawing in software is what takes the time.
  const viewport = { width: 1000, height: 640 };
  const usual = { viewport, deviceScaleFactor: 0.5, reducedMotion: 'reduce', colorScheme: 'light' };
  const context = await browser.newContext({ ...usual, ...options });
  const page = await context.newPage();
  await page.addInitScript(see);
  if (!draws) await page.addInitScript(drawNothing);
  page.problems = [];
  const note = (text) => page.problems.includes(text) || page.problems.push(text);
  page.on('pageerror', (error) => note(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (/GL Driver Message \(OpenGL, Performance/.test(message.text())) return; // WebGL in software is slow, indeed
    if (['error', 'warning'].includes(message.type())) note(`${message.text()} (${message.location().url})`);
  });
  page.on('crash', () => note('the page crashed'));
  page.setDefaultTimeout(1000 * timeout);
  const address = new URL(url);
  address.searchParams.set('test', '');
  await page.goto(address.href);
  return page;
}

/** Sends a command by its name in docs/viewer_protocol.md. */
export const command = (page, name, details = {}) =>
  page.evaluate(([number, details]) => tactus.connection.command(number, details), [COMMAND[name], details]);

export async function closePage(page) {
  await page.context().close();
  assert.deepEqual(page.problems, [], 'errors in the page');
}

/** Tests whose failure leaves a picture of each of the `pages` that there are, and which leave no button and no key pressed. */
export const checkWith = (pages, prefix = '') => (name, act) =>
  test(name, async () => {
    try {
      await act();
      assert.deepEqual(pages().flatMap((page) => page.problems), [], 'errors in a page');
    } catch (error) {
      for (const [at, page] of pages().entries()) {
        if (!page.isClosed()) await shoot(page, `failed-${prefix}${name.replaceAll(/\W+/g, '-')}-${at}`).catch(() => {});
      }
      throw error;
    } finally {
      for (const page of pages()) {
        page.problems.length = 0;
        if (page.isClosed()) continue;
        await page.mouse.up();
        await page.keyboard.press('Escape');
      }
    }
  });

/** Opens a scene of the gallery, and waits until all of it is shown. */
export async function openScene(page, scene) {
  await command(page, 'open', { text: `${scene}.yaml` });
  await until(`${scene} is shown`, () => page.evaluate((scene) => {
    const { phase, load, scene: now } = tactus.state;
    return phase === 'running' && now.name === scene && seen.frame?.load === load &&
      now.bodies.every((_, body) => tactus.view.surface(body));
  }, scene));
}

/** A page, its browser and the program behind it. */
export async function endAll(page, browser, program) {
  await closePage(page);
  await browser.close();
  await program.stop();
}

/** Keeps a picture under <build>/screenshots. */
export function save(name, bytes) {
  mkdirSync(screenshots, { recursive: true });
  writeFileSync(join(screenshots, `${name}.png`), bytes);
}

/** A picture of the whole page, where pages draw or something failed. */
export async function shoot(page, name) {
  if (!all && !name.startsWith('failed')) return;
  save(name, await page.screenshot({ animations: 'disabled' }));
}

/**
 * Compares a picture, at half its size, with tests/browser/references/NAME.png: the mean difference of a channel, and the
 * share of pixels that differ visibly. The page decodes and counts. With TACTUS_UPDATE_REFERENCES=1 the picture becomes
 * the reference.
 */
export async function compare(page, name, picture, { mean = 2, share = 0.02 } = {}) {
  const path = join(references, `${name}.png`);
  const update = process.env.TACTUS_UPDATE_REFERENCES === '1';
  const remedy = 'look at the picture, then run with TACTUS_UPDATE_REFERENCES=1';
  assert.ok(update || existsSync(path), `there is no reference ${name}.png: ${remedy}`);
  const result = await page.evaluate(async ([picture, reference]) => {
    const draw = async (data, scale) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width * scale, bitmap.height * scale);
      const drawing = canvas.getContext('2d');
      drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      return { canvas, pixels: drawing.getImageData(0, 0, canvas.width, canvas.height) };
    };
    const a = await draw(picture, 0.5);
    if (!reference) {
      const reader = new FileReader();
      reader.readAsDataURL(await a.canvas.convertToBlob());
      return new Promise((resolve) => (reader.onload = () => resolve(reader.result.split(',')[1])));
    }
    const b = await draw(reference, 1);
    const { width, height } = a.canvas;
    if (width !== b.canvas.width || height !== b.canvas.height) return { mean: 255, share: 1 };
    let sum = 0, differing = 0;
    for (let i = 0; i < 4 * width * height; i += 4) {
      const d = [0, 1, 2].map((k) => Math.abs(a.pixels.data[i + k] - b.pixels.data[i + k]));
      sum += d[0] + d[1] + d[2];
      if (Math.max(...d) > 24) ++differing;
    }
    return { mean: sum / (3 * width * height), share: differing / (width * height) };
  }, [picture.toString('base64'), update ? null : readFileSync(path).toString('base64')]);
  if (update) {
    mkdirSync(references, { recursive: true });
    writeFileSync(path, Buffer.from(result, 'base64'));
    return;
  }
  const [most, where] = [result.mean.toFixed(2), (100 * result.share).toFixed(2)];
  const said = `${name}.png differs from its reference by ${most} of 255 in the mean (at most ${mean}), ` +
    `visibly at ${where} % of its pixels (at most ${100 * share} %)`;
  assert.ok(result.mean <= mean && result.share <= share, said);
}
