// The page of the network device: a drag in it moves a hand, which the program sees, and the page says how it goes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import test from 'node:test';
import { shoot, startBrowser, tactus, until } from './browser.mjs';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a drag in the page moves the hand', async () => {
  const port = await freePort();
  const child = spawn(tactus, ['devices', 'network', '--options', `port=${port}, wait=120`, '--watch']);
  let status = null;
  child.on('close', (code) => (status = code));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const states = () => [...printed.matchAll(/x +([-+][\d.]+) +y +([-+][\d.]+) +z +([-+][\d.]+) mm .*/g)];
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await until('the driver listens', () => fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false));
    await page.goto(`http://127.0.0.1:${port}/`);
    await until('the program shows the hand', () => states().length > 0);
    assert.match(printed, /browser: 3 degrees of freedom, 4 N, 400 N\/m/);
    const box = await page.locator('#field').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x + box.height / 4, y - box.height / 8, { steps: 5 }); // 50 mm to the right, 25 up
    await until('the hand is there', () => {
      const [line, right, up] = states().at(-1);
      return Math.abs(right - 50) < 1 && Math.abs(up - 25) < 1 && line.includes('grab');
    });
    await shoot(page, 'network-device');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.mouse.wheel(0, 100);
    await until('the hand comes nearer', () => Number(states().at(-1)[3]) > 1 && !states().at(-1)[0].includes('grab'));
    assert.match(await page.locator('#status').textContent(), /connected/);
    await page.goto('about:blank'); // it says goodbye
    await until('the program ends', () => status !== null);
    assert.equal(status, 1);
    assert.match(printed, /browser was lost: (its client disconnected|the connection to its client was closed)/);
    assert.deepEqual(errors, []);
  } finally {
    child.kill('SIGKILL');
    await browser.close();
  }
});
