// The viewer as a person meets it: one program, one browser, and what the product promises of them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before } from 'node:test';
import {
  Program, all, build, checkWith, closePage, command, compare, draw, makeFolder, openPage, openScene, run, save, shoot, sleep, source,
  startBrowser, until,
} from './browser.mjs';

let browser, program, page;
let own, other; // a program whose gallery are the scenes below, and its page
const folder = makeFolder('browser'); // recordings, and scenes that are damaged

const check = checkWith(() => [page, other].filter(Boolean));

before(async () => {
  const missing = readFileSync(join(build, 'page/missing'), 'utf8');
  assert.equal(missing, '');
  const scene = join(source, 'scenes/kidney.yaml');
  const recorded = run('run', scene, '--fast', '--duration', '3', '-o', folder, '--no-report');
  assert.equal(recorded.status, 0, recorded.err);
  browser = await startBrowser();
  program = await Program.start(['-o', folder]);
  page = await openPage(browser, program.url);
});

after(async () => {
  await own?.kill(); // where a test failed
  if (page && !page.isClosed()) await closePage(page);
  if (program) await program.stop();
  await browser?.close();
});

const state = (of = page) => of.evaluate(() => tactus.state);
const phase = (wanted, of = page) => until(`the phase is ${wanted}`, async () => (await state(of)).phase === wanted);
const button = (name, of = page) => of.getByRole('button', { name, exact: true });
/** The first tool as the last frame has it; `size` is that of its force, N. */
const tool = (of = page) => of.evaluate(() => {
  const { force, spring, penetration, led, client } = seen.frame.tools[0];
  return { size: Math.hypot(...force), spring: [...spring], penetration, led, client };
});
const tick = (of = page) => of.evaluate(() => seen.frame.tick);
const drawn = () => page.evaluate(() => tactus.connection.drawn);

/** Opens the kidney where it is not open yet: to load a scene takes time, above all for its shaders. */
async function openKidney() {
  const { phase: now, scene } = await state();
  if (now === 'running' && scene.name === 'kidney') return;
  await openScene(page, 'kidney');
}

/** Back to the gallery, where nothing is drawn: pages that are not looked at take time from those that are. */
async function rest(of = page) {
  await command(of, 'open', { text: '' });
  await phase('gallery', of);
}

/** Opens a scene of the folder in the page of its own program. */
async function openOwn(name, viewport) {
  await rest();
  await other.setViewportSize(viewport);
  await openScene(other, name);
}

/** The middle of the view, where every scene has its body. */
async function middle(of = page) {
  const box = await of.locator('#view canvas').first().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Presses on the body in the middle of the view until nothing moves any more; force over penetration, N/m. */
async function measureStiffness() {
  await page.mouse.move(...(await middle()));
  await page.mouse.down();
  let last = null;
  const steady = await until('the hand rests in the body', async () => {
    const [now, pictures] = [await tool(), await drawn()];
    if (last && pictures < last.pictures + 3) return false; // the page moves the hand with every picture
    const moved = last ? Math.hypot(...now.spring.map((x, k) => x - last.spring[k])) : Infinity;
    const rests = moved < 1e-5 && Math.abs(now.size - last.size) < 0.001 * now.size;
    last = { ...now, pictures };
    return rests && now.size > 0.1 && now;
  });
  await page.mouse.up();
  await until('the hand has let go', async () => (await tool()).size === 0);
  return steady.size / steady.penetration;
}

check('the gallery shows every scene with its picture', async () => {
  await phase('gallery');
  const cards = page.locator('.scene-card');
  const names = readdirSync(join(source, 'scenes')).filter((file) => file.endsWith('.yaml')).sort();
  await until('all cards are there', async () => (await cards.count()) === names.length);
  assert.deepEqual(await cards.locator('.name').allTextContents(), names.map((file) => file.replace('.yaml', '')));
  /* Those out of sight wait until they come near. */
  await cards.locator('img').evaluateAll((images) => images.forEach((image) => (image.loading = 'eager')));
  await until('all pictures are loaded', () => cards.locator('img').evaluateAll((images) =>
    images.every(({ complete, naturalWidth, src }) => complete && naturalWidth >= 64 && src.includes('/pictures/'))));
  await shoot(page, 'gallery');
});

check('a click on the kidney opens it', async () => {
  await button('kidney').click();
  await phase('running');
  const { scene } = await state();
  assert.equal(scene.name, 'kidney');
  await until('frames come', async () => (await page.evaluate(() => seen.frame?.tick ?? 0)) > 100);
  assert.match(await page.title(), /kidney/);
});

check('a press on the kidney gives a force within a second and dents it', async () => {
  const [x, y] = await middle();
  await page.mouse.move(x - 20, y);
  await until('the tool comes to the pointer', async () => (await tool()).led);
  const [began, before] = [await tick(), await drawn()];
  await page.mouse.down();
  await page.mouse.move(x, y);
  await until('the force is felt', async () => (await tool()).size > 0.3);
  const felt = await page.evaluate(() => [...seen.trace].find(([, [force]]) => force > 0.3)?.[0] ?? seen.frame.tick);
  const pictures = (await drawn()) - before;
  // A second; a machine that draws fewer than 30 pictures in a second is busy, and may take 30 pictures.
  assert.ok(felt - began < 1000 || pictures < 30, `0.3 N after ${felt - began} ms and ${pictures} pictures`);
  await until('the surface moves under it', () => page.evaluate(() => {
    const { body, point } = seen.frame.tools[0];
    return seen.displacementAt(body, point) > 0.001;
  }));
  const shown = await page.evaluate(() => ({ ...tactus.view.element.dataset }));
  assert.ok(Number(shown.displacement) > 1, `the view shows ${shown.displacement} mm`);
  assert.ok(Number(shown.force) > 0.3, `the view shows ${shown.force} N`);
  await page.mouse.up();
  await until('the force ends', async () => (await tool()).size === 0);
});

check('twice the stiffness gives twice the force at the same depth', async () => {
  const slider = page.getByRole('slider', { name: 'stiffness', exact: true }).first(); // the hand has one too
  const soft = await measureStiffness();
  const index = (await state()).parameters.findIndex((each) => each.name === 'kidney.stiffness');
  assert.equal((await state()).parameters[index].value, 1);
  await slider.fill('0.75'); // of the way from 1/4 to 4, in decades
  await until('the program takes the value', async () => (await state()).parameters[index].value !== 1);
  const { value } = (await state()).parameters[index];
  const stiff = await measureStiffness();
  assert.equal(value, 2);
  assert.ok(Math.abs(stiff / soft - 2) < 0.2, `${soft} N/m became ${stiff} N/m`);
});

check('a recording is replayed as it was, also after the page was read again', async () => {
  await openKidney();
  await button('Record').click();
  await until('it records', async () => (await state()).recording);
  const { file } = (await state()).recording;
  const [x, y] = await middle();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until('the force is felt', async () => (await tool()).size > 0.3);
  await page.mouse.move(x + 15, y);
  const end = (await tick()) + 300;
  await until('time goes on', async () => (await tick()) > end);
  await page.mouse.up();
  await button('Stop recording').click();
  await until('it is listed', async () => (await state()).recordings.some((each) => each.file === file));

  await page.reload();
  await phase('running');
  await page.getByRole('button', { name: /^Recordings/ }).click();
  await page.getByRole('button', { name: new RegExp(`^${file}`) }).click();
  await phase('replaying');
  const controls = page.getByRole('group', { name: 'Replay' });
  await controls.waitFor();
  if ((await state()).replay.speed > 0) await controls.getByRole('button', { name: 'Pause' }).click();
  await until('it rests', async () => (await state()).replay.speed === 0);
  const { duration } = (await state()).replay;

  const table = join(folder, 'recording.csv');
  const again = run('replay', join(folder, file), '--csv', table);
  assert.equal(again.status, 0, again.err);
  assert.match(again.out, /identical/);
  const [head, ...lines] = readFileSync(table, 'utf8').trim().split('\n').map((line) => line.split(','));
  const column = (name) => {
    const index = head.findIndex((text) => text.startsWith(name));
    assert.ok(index >= 0, `the table has no column ${name}`);
    return index;
  };
  const forces = ['x', 'y', 'z'].map((axis) => column(`tool0.output.force.${axis}`));
  const rows = new Map(lines.map((line) => [Number(line[column('tick')]), line]));
  const slider = page.getByRole('slider', { name: 'Time in the recording' });
  let felt = 0;
  for (const share of [0.5, 0.7, 0.9]) {
    const time = share * duration;
    await slider.fill(String(Number(time.toFixed(2))));
    await until(`it shows ${time} s`, () => page.evaluate((time) => Math.abs(seen.frame.time - time) < 0.006, time));
    const shown = await page.evaluate(() => ({ tick: seen.frame.tick, force: [...seen.frame.tools[0].force] }));
    const recorded = forces.map((index) => Math.fround(Number(rows.get(shown.tick)[index])));
    assert.deepEqual(shown.force, recorded, `at ${time} s`);
    felt = Math.max(felt, Math.hypot(...shown.force));
  }
  assert.ok(felt > 0.3, `the replay shows no more than ${felt} N`);
  await shoot(page, 'replay');
  await button('Back to live').click();
  await phase('running');
});

/* Other tests see two clients of one program (test_session) and pages that come and go. */
(all ? check : () => {})('two pages show the same world, and one may go', async () => {
  await openKidney();
  const second = await openPage(browser, program.url, { viewport: { width: 640, height: 480 } });
  await phase('running', second);
  await until('the first page sees both', () => page.evaluate(() => seen.frame.numbers?.clients === 2));
  const [x, y] = await middle(second);
  await second.mouse.move(x, y);
  await second.mouse.down();
  for (const each of [page, second]) await until('both see the press of one', async () => (await tool(each)).size > 0.3);
  assert.equal((await tool(page)).client, (await tool(second)).client);
  await closePage(second);
  await until('the first page is alone', () => page.evaluate(() => seen.frame.numbers?.clients === 1));
  const seenTick = await tick();
  await until('the first page goes on', async () => (await tick()) > seenTick + 100);
  await until('what the other held is let go', async () => (await tool()).size === 0 || (await state()).demo);
});

/** The status with which a WebSocket is answered: 101 where it is taken. */
function socketStatus(url, { origin, token, host = url.host }) {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: 'Upgrade', Upgrade: 'websocket', Host: host, 'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.from('sixteen bytes...').toString('base64'), ...(origin && { Origin: origin }),
    };
    const path = `/socket${token ? `?token=${token}` : ''}`;
    const request = http.request({ host: url.hostname, port: url.port, path, headers });
    request.on('upgrade', (response, socket) => resolve((socket.destroy(), response.statusCode)));
    request.on('response', (response) => resolve((response.destroy(), response.statusCode)));
    request.on('error', reject).end();
  });
}

check('pages from elsewhere are refused', async () => {
  const { url } = program;
  assert.equal(await socketStatus(url, { origin: url.origin }), 101);
  assert.equal(await socketStatus(url, { origin: 'http://example.org' }), 403);
  const host = `example.org:${url.port}`; // a name of theirs that leads to this machine
  assert.equal(await socketStatus(url, { origin: `http://${host}`, host }), 403);
  assert.equal(await socketStatus(url, { origin: `http://${url.hostname}:1` }), 403);
  const stranger = await browser.newPage();
  const body = '<p>elsewhere';
  await stranger.route('http://example.org/', (route) => route.fulfill({ body, contentType: 'text/html' }));
  await stranger.goto('http://example.org/');
  const outcome = await stranger.evaluate((host) => new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}/socket`);
    socket.onopen = () => resolve('open');
    socket.onclose = () => resolve('refused');
  }), url.host);
  await stranger.close();
  assert.equal(outcome, 'refused');
});

check('a mistake is shown with its line, a repaired scene runs, and a killed program is awaited', async () => {
  await rest();
  const good = readFileSync(join(source, 'scenes/nodule.yaml'), 'utf8');
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, good.replace('young: 25 kPa', 'young: 25 kilos'));
  const line = good.split('\n').findIndex((text) => text.includes('young:')) + 1;
  const scenes = { held: heldScene, soft: softScene, loaded: loadedScene };
  for (const [name, text] of Object.entries(scenes)) writeFileSync(join(folder, `${name}.yaml`), text);
  own = await Program.start([file, '-o', folder]); // its gallery has them
  other = await openPage(browser, own.url);
  await phase('failed', other);
  const card = other.getByRole('alert').filter({ hasText: 'cannot be run' });
  assert.match(await card.innerText(), new RegExp(`mine\\.yaml, line ${line}\\b`));
  assert.match(await card.locator('mark').innerText(), /25 kilos/);
  await shoot(other, 'mistake');
  writeFileSync(file, good);
  await button('Read again', other).click();
  await phase('running', other);

  await own.kill();
  await other.getByText('The program has ended or cannot be reached').waitFor();
  await shoot(other, 'lost');
  const port = Number(own.url.port);
  own = await Program.start([file, '-o', folder], { port });
  await until('the page has found it again', () => other.evaluate(() => tactus.connection.link === 'open'));
  await phase('running', other);
  const from = await tick(other);
  await until('frames come', async () => (await tick(other)) !== from);
  assert.equal(await other.getByText('cannot be reached').count(), 0);
  // That the browser could not reach it for a while is all that its console may say.
  const known = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to/;
  other.problems = other.problems.filter((text) => !known.test(text));
  await rest(other);
});

/** Pulls the upper side of the beam's end up, until it has moved by 20 mm, and does `act` before it lets go. */
async function pullBeam(act) {
  await until('the tool is free', () => page.evaluate(() => seen.frame.tools[0].state === 0));
  await until('the beam rests', () => page.evaluate(() => Number(tactus.view.element.dataset.displacement ?? 0) < 0.5));
  const [x, y] = await page.evaluate(() => {
    const { view } = tactus;
    const { left, top } = view.element.getBoundingClientRect();
    const { x, y } = view.project(view.centre.clone().set(0.36, 0, 0.02));
    return [left + x, top + y];
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until('it is grabbed', () => page.evaluate(() => seen.frame.tools[0].state === 3));
  await page.mouse.move(x, y - 120);
  await until('the beam bends', () => page.evaluate(() => Number(tactus.view.element.dataset.displacement) > 20));
  await act();
  await page.mouse.up();
}

check('a reduced beam bends, shows its shapes, and is sketched on', async () => {
  await command(page, 'open', { text: 'twisting-beam.yaml' });
  await until('it is open', () => page.evaluate(() => seen.models.length === 1 && seen.frame?.load === seen.load));
  await page.getByRole('radio', { name: 'Pull' }).check();
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('stretch');
  await pullBeam(async () => {
    // The page computes the surface from coordinates, the program the contact on it from its own basis.
    await until('both agree where the contact is', () => page.evaluate(() => {
      const { view } = tactus;
      const point = view.centre.clone().fromArray(seen.frame.tools[0].point);
      const { x, y } = view.project(point);
      return view.pick(x, y)?.position.distanceTo(point) < 1e-4;
    }));
    await until('its stretch comes', () => page.evaluate(() => {
      const { body, scale, values } = seen.fields[3] ?? {};
      return body === 0 && scale > 1.001 && 3 * values.length === seen.models[0].rest.length;
    }));
  });
  await shoot(page, 'beam-stretch');
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('plain');

  await button('Next shape').click();
  assert.equal(await page.evaluate(() => tactus.view.element.dataset.shape), 'mode 1');
  await until('the end swings', () => page.evaluate(() => {
    const { view } = tactus;
    const end = view.centre.clone().set(0.4, 0, 0.02);
    const { x, y } = view.project(end);
    return !(view.pick(x, y)?.position.distanceTo(end) < 0.02);
  }));
  await shoot(page, 'beam-shape');
  await button('Back to the simulation').click();
  assert.equal(await page.evaluate(() => tactus.view.shape), null);

  await button('Sketch').click();
  await until('it is sketched on', async () => (await state()).sketch?.body === 0);
  await page.getByText('look distorted').waitFor();
  await pullBeam(() => shoot(page, 'beam-sketch'));
  await button('End sketch').first().click();
  const { sketched } = await until('it is done', async () => (await state()).sketched && state());
  const [, file] = /^basis: {from: sketch, file: (\S+), size: 30}$/.exec(sketched.basis);
  assert.equal(await page.locator('.advice code').innerText(), sketched.basis);
  const again = run('replay', file);
  assert.equal(again.status, 0, again.err);
  assert.match(again.out, /identical/);
  await page.getByRole('radio', { name: 'Push' }).check();
});

const heldScene = `tactus: 1
bodies:
  - name: plate
    kind: rigid
    surface: {shape: box, size: 20 mm}
    field: {resolution: 24}
  - name: ball
    kind: rigid
    surface: {shape: sphere, size: 20 mm}
    points: {count: 1200}
    position: [0, 0, 100 mm]
contacts:
  - {points: ball, field: plate, stiffness: 200 N/m}
tools:
  - name: hand
    kind: body
    body: ball
    device: {kind: operator, path: [{at: [0, 0, 100 mm]}, {at: [0, 0, 101 mm], after: 100 s}]}
`;

check('a held body is carried, turned, stopped by what it touches, and looked into', async () => {
  await openOwn('held', { width: 800, height: 500 });
  const at = () => other.evaluate(() => {
    const { view } = tactus;
    const { left, top } = view.element.getBoundingClientRect();
    const { x, y } = view.project(view.centre.clone().fromArray(seen.frame.tools[0].proxy));
    return [left + x, top + y];
  });
  const felt = () => other.evaluate(() => {
    const { force, position, proxy, proxyOrientation } = seen.frame.tools[0];
    const apart = Math.hypot(...position.map((x, k) => x - proxy[k]));
    return { force: Math.hypot(...force), apart, touching: seen.frame.pairs[0].touching, turned: proxyOrientation[0] };
  });
  await until('frames come', () => other.evaluate(() => seen.frame?.poses.length === 1 && tactus.view.bodies.size === 2));
  let [x, y] = await at();
  await other.mouse.move(x, y);
  await other.mouse.down();
  await other.mouse.move(x, y + 100, { steps: 5 });
  await until('the plate stops it', async () => {
    const { force, apart, touching } = await felt();
    return force > 0.5 && apart > 1e-4 && touching > 0;
  });
  const inside = ['shell', 'balls', 'slice', 'isosurface'];
  for (const layer of inside) await other.evaluate((layer) => tactus.view.setLayer(layer, true), layer);
  await until('all has come', () => other.evaluate(() => {
    const { shell, slice, isosurface } = seen.geometry;
    const { points, ballCount, touching, visited } = seen.frame.pairs[0];
    return shell && slice && isosurface && points.length === 4 * touching && ballCount === visited;
  }));
  await shoot(other, 'held');
  await other.mouse.up();
  await until('released, it is held almost without force', async () => (await felt()).force < 0.3);
  [x, y] = await at();
  await other.mouse.move(x, y);
  await other.mouse.down({ button: 'right' });
  await other.mouse.move(x + 60, y);
  await until('the right button turns it', async () => (await felt()).turned < 0.99);
  await other.mouse.up({ button: 'right' });
  for (const layer of inside) await other.evaluate((layer) => tactus.view.setLayer(layer, false), layer);
  await rest(other);
});

check('contacts that obey laws show their cones, their forces and their coupling', async () => {
  await command(page, 'open', { text: 'boxes.yaml' });
  await phase('running');
  const contacts = () => page.evaluate(() => seen.frame?.load === tactus.state.load && seen.frame.contacts?.map(
    ({ normal, force, friction }) => ({ normal: [...normal], force: [...force], friction })));
  const laws = await until('boxes stand on each other', async () => {
    const now = await contacts();
    return now && now.length >= 12 && now.every(({ force }) => Math.hypot(...force) < 100) && now;
  });
  for (const { normal, force, friction } of laws) {
    const along = force.reduce((sum, f, k) => sum + f * normal[k], 0);
    const across = Math.hypot(...force.map((f, k) => f - along * normal[k]));
    assert.ok(along >= -1e-6 && across <= friction * along + 1e-3, `${force} is not in its cone about ${normal}`);
  }
  await until('they are drawn', () => page.evaluate(() => Number(tactus.view.element.dataset.laws) >= 12));
  assert.equal(await page.evaluate(() => seen.frame.coupling), null); // nobody looks at it
  const panel = page.locator('summary', { hasText: 'Coupling of contacts' });
  await panel.click();
  await until('the coupling comes', () => page.evaluate(() => seen.frame.coupling !== null));
  await shoot(page, 'laws');
  await panel.click();
  await until('it comes no more', () => page.evaluate(() => seen.frame.coupling === null));
  await rest();
});

const softScene = `tactus: 1
rate: {simulate: 100 Hz}
method: signorini
bodies:
  - name: cube
    kind: hyperelastic
    volume: {shape: cube}
    material: {law: mooney-rivlin, parameters: {c1: 860 Pa, c2: 860 Pa, k0: 33.3 kPa}, density: 1000 kg/m3}
    damping: {stiffness: 10 ms}
    fixed: [{below: {axis: z, at: 0}}]
  - name: instrument
    kind: rigid
    analytic: [{sphere: {centre: [0, 0, 12 mm], radius: 12 mm}}]
    position: [35 mm, 35 mm, 72 mm]
contacts:
  - {points: cube, field: instrument, friction: 0.3}
tools:
  - name: hand
    kind: body
    body: instrument
    grasp: [0, 0, 0]
    coupling: {stiffness: 500 N/m}
    device:
      kind: operator
      path:
        - {at: [35 mm, 35 mm, 75 mm]}
        - {at: [35 mm, 35 mm, 60 mm], after: 1 s}
        - {at: [35 mm, 35 mm, 59 mm], after: 300 s}
`;

check('a soft body is coloured by stress and stretch, tells of itself, and shows the local problem', async () => {
  await openOwn('soft', { width: 1000, height: 800 });
  const number = (name) => other.evaluate((name) => Number(tactus.view.element.dataset[name]), name);
  const field = (kind) => other.evaluate((kind) => seen.fields[kind]?.scale ?? 0, kind);
  const legend = other.locator('.legends');
  await command(other, 'demo', { value: 1 });
  await until('it is pressed', async () => (await number('laws')) > 0); // those that are near come and go
  for (const { force, state } of await other.evaluate(() => seen.frame.contacts.map(({ force, state }) => (
    { force: Math.hypot(...force), state })))) {
    assert.ok(state > 0 ? force > 0 : force === 0, `${force} N in the state ${state}`);
  }
  const colour = other.getByRole('combobox', { name: 'Colour' });
  await colour.selectOption('stress');
  await until('stress comes', async () => (await field(1)) > 100);
  await legend.getByText('Von Mises stress, kPa').waitFor();
  await colour.selectOption('stretch');
  await until('stretch comes', async () => (await field(3)) > 1.02);
  await legend.getByText('Largest stretch').waitFor();
  await other.getByLabel('Scale up to').fill('3');
  await other.getByLabel('Scale up to').press('Enter');
  await legend.getByText('3.0').waitFor();
  const age = other.locator('.body-numbers dd').first();
  await until('it tells of its factor', async () => /^\d+ steps?, [\d.]+ ms$/.test(await age.innerText()));
  await other.locator('summary', { hasText: 'Coupling of contacts' }).click();
  await other.getByText(/W of \d+ contacts of the local problem/).waitFor();
  await shoot(other, 'soft');
  await colour.selectOption('plain');
  await other.locator('summary', { hasText: 'Coupling of contacts' }).click();
});

const loadedScene = `tactus: 1
bodies:
  - name: beam
    kind: vademecum
    volume: {shape: beam}
    material: {law: st-venant-kirchhoff, young: 836 kPa, poisson: 0.3, density: 300 kg/m3}
    linear: true
    modes: 6
    sample: 2
    accuracy: 50 %
    loads: {size: 100 mN}
    fixed: [{below: {axis: x, at: 0}}]
    field: {resolution: 48}
tools:
  - name: finger
    kind: point
    device:
      kind: operator
      repeat: true
      path:
        - {at: [360 mm, 20 mm, 60 mm], after: 500 ms}
        - {at: [360 mm, 20 mm, 25 mm], after: 1 s}
        - {at: [360 mm, 20 mm, 20 mm], after: 1 s}
        - {at: [360 mm, 20 mm, 20 mm], after: 5 s}
`;

check('a vademecum shows its modes X and Y, and a load beyond what was baked', async () => {
  await openOwn('loaded', { width: 1000, height: 800 });
  const data = (name) => other.evaluate((name) => tactus.view.element.dataset[name], name);
  const legend = other.locator('.legends');
  await command(other, 'demo', { value: 1 });
  await until('more presses it than was baked', () => other.evaluate(() => {
    const { beyond, load } = tactus.view.element.dataset;
    return beyond === '1' && Number(load) > 1;
  }));
  const text = /^\d+ mN, [\d.]+ of 100 mN: above the largest baked load$/;
  await other.locator('.body-numbers dd.warn', { hasText: text }).waitFor();
  // The finger's force is what presses: the page knows it from two sides.
  const [load, force] = await until('the finger presses', () => other.evaluate(() => {
    const { loads, tools } = seen.frame;
    return Math.hypot(...loads[0].force) > 0 && [loads[0], tools[0]].map((each) => [...each.force]); // it may bounce
  }));
  assert.ok(Math.hypot(...load.map((x, k) => x + force[k])) < 0.05 * Math.hypot(...load), `${load} and ${force}`);
  await other.evaluate(() => tactus.view.setLayer('slice', true));
  await legend.getByText(/^Distance/).waitFor();
  await shoot(other, 'vademecum-load');
  await other.evaluate(() => tactus.view.setLayer('slice', false));
  await button('Next shape', other).click();
  assert.equal(await data('shape'), 'X 1');
  await legend.getByText('Y 1, per load of 100 mN along the outward normal, mm').waitFor();
  await shoot(other, 'vademecum-mode');
  await other.getByRole('switch', { name: 'Colour by its loads (Y)' }).uncheck();
  assert.equal(await data('loads'), '');
  await button('Back to the simulation', other).click();
  assert.equal(await other.evaluate(() => tactus.view.shape), null);
  await closePage(other);
  await own.stop();
  own = null;
});

check('a token is asked for where the program has one', async () => {
  await rest();
  const own = await Program.start(['--token', 'sesame-1234567890']);
  const { url } = own;
  assert.equal(url.searchParams.get('token'), 'sesame-1234567890');
  assert.equal(await socketStatus(url, { origin: url.origin, token: 'sesame-1234567890' }), 101);
  for (const token of [undefined, '', 'sesame', 'sesame-1234567891', 'sesame-12345678901']) {
    assert.equal(await socketStatus(url, { origin: url.origin, token }), 403);
  }
  const guest = await openPage(browser, url);
  await phase('gallery', guest);
  assert.deepEqual(guest.problems, []);
  await guest.goto(`${url.origin}/?token=wrong`);
  await guest.getByText('refused this page').waitFor();
  guest.problems = guest.problems.filter((text) => !/403|WebSocket connection to/.test(text));
  await closePage(guest);
  await own.stop();
});

/** Presses Tab until `there` is true of the focused element. */
async function tabTo(what, there) {
  for (let i = 0; i < 120; ++i) {
    if (await page.evaluate(`(${there})(document.activeElement)`)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${what}`);
}

check('everything can be done with the keyboard', async () => {
  if ((await state()).phase !== 'gallery') await rest();
  await tabTo('the nodule', (element) => element.matches('.scene-card') && /^nodule/.test(element.textContent));
  await page.keyboard.press('Enter');
  await phase('running');
  assert.equal((await state()).scene.name, 'nodule');
  await tabTo('the view', (element) => element.matches('canvas'));
  await page.keyboard.press(' ');
  await until('Space presses', async () => (await tool()).size > 0.1);
  const shallow = (await tool()).size;
  for (let i = 0; i < 4; ++i) await page.keyboard.press('PageDown');
  await until('Page Down presses deeper', async () => (await tool()).size > 1.05 * shallow);
  const { spring: [from] } = await tool();
  await page.keyboard.press('l', { delay: 300 });
  await until('L moves it', async () => (await tool()).spring[0] !== from);
  await page.keyboard.press('Escape');
  await until('it lets go', async () => (await tool()).size === 0);
  await tabTo('the button Pause', (element) => element.matches('button') && /Pause/.test(element.textContent));
  await page.keyboard.press('Enter');
  await until('it pauses', async () => (await state()).paused);
  await page.keyboard.press('p');
  await until('it goes on', async () => !(await state()).paused);
  await tabTo('the stiffness', (element) => element.type === 'range' && element.labels[0]?.textContent === 'stiffness');
  await page.keyboard.press('End');
  await until('the slider moves', async () => {
    const { value, most } = (await state()).parameters.find(({ name }) => name === 'nodule.stiffness');
    return value === most;
  });
});

check('everything that can be used has a name', async () => {
  await phase('running');
  const roles = new Set(['application', 'button', 'checkbox', 'combobox', 'dialog', 'DisclosureTriangle', 'image', 'link',
    'listbox', 'menuitem', 'progressbar', 'radio', 'radiogroup', 'slider', 'spinbutton', 'switch', 'tab', 'textbox']);
  const nameless = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const used = nodes.filter((node) => !node.ignored && roles.has(node.role?.value));
    assert.ok(used.length > 1, `${used.length} things to use`);
    return used.filter((node) => !node.name?.value?.trim()).map((node) => node.role.value);
  };
  assert.deepEqual(await nameless(), [], 'while a scene runs');
  await page.keyboard.press('?');
  assert.deepEqual(await nameless(), [], 'in the help');
  await page.keyboard.press('Escape');
  await button('Gallery').click();
  assert.deepEqual(await nameless(), [], 'in the gallery');
  await page.keyboard.press('Escape');
});

/** What the view draws, without the page around it, once nothing in it moves any more. */
async function picture(name) {
  const take = () => page.evaluate(async () => {
    const blob = await tactus.view.screenshot(640, 400);
    let text = '';
    for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
    return btoa(text);
  });
  let last = '';
  await until(`${name} stands still`, async () => last === (last = await take()));
  const bytes = Buffer.from(last, 'base64');
  save(name, bytes);
  return bytes;
}

/** How many pictures the view has drawn since it was first asked, and how many frames have come. */
const counts = () => page.evaluate(() => {
  if (seen.pictures === undefined) tactus.view.painters.push(() => ++seen.pictures);
  seen.pictures ??= 0;
  return { pictures: seen.pictures, frames: tactus.connection.received };
});

check('pictures are as they were, dark, light and large', async () => {
  await command(page, 'replay', { text: 'run.tacrec' });
  await phase('replaying');
  await command(page, 'play', { value: 0 });
  await command(page, 'seek', { value: 2.5 });
  if (all) {
    await closePage(page);
    page = await openPage(browser, program.url, { deviceScaleFactor: 1 }); // every pixel counts
  }
  await until('it shows 2.5 s', () => page.evaluate(() => Math.abs((seen.frame?.time ?? 0) - 2.5) < 0.002));
  await page.setViewportSize({ width: 3840, height: 2160 });
  await until('the view fills a large screen', () => page.evaluate(() => {
    const { width, height } = tactus.view.element;
    return width > 2000 * devicePixelRatio && height > 1500 * devicePixelRatio;
  }));
  await shoot(page, 'page-large');
  await page.setViewportSize({ width: 1000, height: 640 });
  await until('nothing is drawn where nothing moves', async () => {
    const before = await counts();
    await sleep(0.5);
    const now = await counts();
    return now.pictures === before.pictures && now.frames > before.frames + 1;
  });
  // What follows a frame by itself, as arrows and the tool's axis do, has come to rest: the frame alone asks for the picture.
  const asked = await page.evaluate(() => {
    const { view } = tactus;
    const moved = structuredClone(seen.frame);
    moved.tools[0].position[0] += 1e-6;
    let times = 0;
    view.invalidate = () => ++times;
    const answer = [seen.frame, moved].map((frame) => (view.frame(frame), times));
    delete view.invalidate;
    return answer;
  });
  assert.deepEqual(asked, [0, 1], 'a frame that repeats the last one asks for no picture, one that differs for one');
  await draw(page);
  const differences = [];
  for (const [colour, theme, kind] of [['plain', 'dark', 0], ['stress', 'light', 1], ['pressure', 'dark', 2]]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.getByRole('combobox', { name: 'Colour' }).selectOption(colour);
    await until('the field comes', () => page.evaluate((kind) => kind === 0 || kind in seen.fields, kind));
    const name = `kidney-${colour}-${theme}`;
    await compare(page, name, await picture(name)).catch((error) => differences.push(error.message));
    await shoot(page, `page-${colour}-${theme}`);
  }
  assert.deepEqual(differences, []);
});
