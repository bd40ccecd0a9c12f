// What a page says and does about the program behind it and the other pages: it stands still, another one holds the tool, the scene's
// file changes, recordings are named, saved and deleted, time goes slower.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Program, command, endAll, makeFolder, openPage, shoot, source, startBrowser, until } from './browser.mjs';

const folder = makeFolder('session');
const scene = join(folder, 'kidney.yaml');
const text = readFileSync(join(source, 'scenes/kidney.yaml'), 'utf8');
let program, browser, page;

const state = (ask) => page.evaluate(ask);
const running = () => until('it runs', () => state(() => tactus.state.phase === 'running' && seen.frame !== null));

test.before(async () => {
  writeFileSync(scene, text);
  program = await Program.start([scene, '-o', join(folder, 'out')]);
  browser = await startBrowser();
  page = await openPage(browser, program.url);
  await running();
});

test.after(async () => {
  await endAll(page, browser, program);
});

test('a program that does not respond is reported', async () => {
  const said = () => state(() => document.querySelector('#link').textContent);
  assert.equal(await said(), '');
  program.child.kill('SIGSTOP');
  try {
    await until('it is shown', async () => /does not respond since \d\d:\d\d:\d\d/.test(await said()));
    await shoot(page, 'stands-still');
  } finally {
    program.child.kill('SIGCONT');
  }
  await until('it goes on', async () => (await said()) === '');
  assert.equal(await state(() => tactus.connection.link), 'open');
});

/** Another client of the program, which presses with the first tool. */
const pressElsewhere = () =>
  page.evaluate(async () => {
    const { host } = location;
    const socket = new WebSocket(`ws://${host}${tactus.connection.path('/socket')}`);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve) => (socket.onmessage = resolve));
    const pointer = new DataView(new ArrayBuffer(36));
    [64, 1].forEach((byte, i) => pointer.setUint8(i, byte));
    pointer.setUint32(4, 1, true);
    [0, 0.08, 0, 1].forEach((value, i) => pointer.setFloat32(8 + 4 * i, value, true));
    socket.send(pointer);
    window.elsewhere = socket;
  });

test('pressing with a tool that another page holds shows a notice and offers to take it over', async () => {
  const ribbon = page.locator('.ribbon', { hasText: 'Another page holds finger' });
  await pressElsewhere();
  await until('the other leads', () => state(() => tactus.state.hands[0].leader > 1));
  const { x, y, width, height } = await page.locator('#view').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await until('it is shown', () => ribbon.isVisible());
  await page.mouse.up();
  await shoot(page, 'held-elsewhere');
  await ribbon.getByRole('button', { name: 'Take it over' }).click();
  await until('this page leads', () => state(() => tactus.state.hands[0].leader === tactus.view.client));
  assert.equal(await ribbon.isVisible(), false);
  await state(() => elsewhere.close());
});

test('slow motion', async () => {
  await page.getByRole('radiogroup', { name: 'Slow motion' }).getByLabel('1/10').check({ force: true });
  await until('it is slow', () => state(() => tactus.state.speed === 0.1));
  await page.getByRole('radiogroup', { name: 'Slow motion' }).getByLabel('1', { exact: true }).check({ force: true });
  await until('it is as usual', () => state(() => tactus.state.speed === 1));
});

test('a recording is named, saved and deleted', async () => {
  const recordings = () => state(() => tactus.state.recordings.map(({ file }) => file).join());
  await command(page, 'record', { value: 1 });
  await until('it records', () => state(() => tactus.state.recording !== null));
  await until('some ticks', () => state(() => !seen.frame.busy && seen.frame.tick > 50));
  await command(page, 'record', { value: 0 });
  await until('it has recorded', async () => (await recordings()) === 'view-001.tacrec');
  await page.getByRole('button', { name: /^Recordings/ }).click();
  await page.getByRole('button', { name: 'Rename view-001.tacrec' }).click();
  await page.getByLabel('Name of view-001.tacrec').fill('soft press');
  await page.keyboard.press('Enter');
  await until('its name', async () => (await recordings()) === 'soft press.tacrec');
  await shoot(page, 'recordings');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save soft press.tacrec' }).click();
  const saved = join(folder, 'saved.tacrec');
  await (await coming).saveAs(saved);
  assert.deepEqual(readFileSync(saved), readFileSync(join(folder, 'out', 'soft press.tacrec')));
  await page.getByRole('button', { name: 'Delete soft press.tacrec' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await until('it has gone', async () => (await recordings()) === '');
  assert.equal(existsSync(join(folder, 'out', 'soft press.tacrec')), false);
  await page.keyboard.press('Escape');
});

test('a scene that changes on disk is read again, on a click or by itself', async () => {
  const about = (words) =>
    until(words, () => page.evaluate((words) => tactus.state.scene?.about === words, words));
  const write = (words) => writeFileSync(scene, text.replace(/^about: .*$/m, `about: ${words}`));
  assert.match(text, /^about: /m);
  write('first');
  const ribbon = page.locator('.ribbon', { hasText: 'changed on disk' });
  await until('the change is shown', () => ribbon.isVisible());
  await shoot(page, 'changed-on-disk');
  await ribbon.getByRole('button', { name: 'Read again' }).click();
  await about('first');
  await running();
  await page.getByRole('button', { name: 'Read the scene again when it changes on disk' }).click();
  await until('it follows', () => state(() => tactus.state.follow));
  write('second');
  await about('second');
  await running();
});
