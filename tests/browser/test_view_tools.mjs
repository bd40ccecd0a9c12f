// Looking closer at a scene: the cut, measures, probes, what is taken along, and words that stay in the picture.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Program, checkWith, closePage, command, makeFolder, openPage, openScene, shoot, startBrowser, until } from './browser.mjs';
import { parseGlb } from './glb_file.mjs';

let browser, program, page;
const folder = makeFolder('tools');

const check = checkWith(() => [page], 'tools-');

before(async () => {
  browser = await startBrowser();
  program = await Program.start(['-o', folder]);
  page = await openPage(browser, program.url, { viewport: { width: 1000, height: 540 } });
  await until('the gallery is there', () => page.evaluate(() => tactus.state.phase !== 'connecting'));
  await openScene(page, 'kidney');
  await page.locator('summary', { hasText: 'Look closer' }).click();
});

after(async () => {
  try {
    if (page && !page.isClosed()) await closePage(page);
  } finally {
    await program?.stop();
    await browser?.close();
  }
});

const radio = (group, name) => page.getByRole('radiogroup', { name: group }).getByText(name, { exact: true });
const section = () => page.locator('.look-closer');

/** Where a vertex of the first body is now, m, and the pixel of the page at which it is seen. */
const vertexAt = (vertex) => page.evaluate((vertex) => {
  const { view } = tactus;
  const { rest } = seen.bodies[0];
  const { scale = 0, values } = seen.surfaces[0] ?? {};
  const at = [0, 1, 2].map((k) => rest[3 * vertex + k] + (values ? (scale * values[4 * vertex + k]) / 32767 : 0));
  const { left, top } = view.element.getBoundingClientRect();
  const { x, y } = view.project(view.centre.clone().fromArray(at));
  return { at, pixel: [left + x, top + y] };
}, vertex);

/** Vertices that one sees around the middle of the view, the nearest first. */
const vertices = () => page.evaluate(() => {
  const { view } = tactus;
  const { rest } = seen.bodies[0];
  const { width, height } = view.size;
  const found = [];
  for (let v = 0; v < rest.length / 3; ++v) {
    const at = view.centre.clone().fromArray(rest, 3 * v);
    const { x, y } = view.project(at);
    const away = Math.hypot(x - width / 2, y - height / 2);
    if (away < 0.3 * height && view.pick(x, y)?.position.distanceTo(at) < 5e-4) found.push({ v, away });
  }
  return found.sort((a, b) => a.away - b.away).map(({ v }) => v);
});

const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const millimetres = (text) => Number(/([\d.]+) mm/.exec(text)[1]);

/** The colour of the view at a place of the picture, from 0 to 1 across and down: red, green, blue. */
const colourAt = (x, y) => page.evaluate(async ([x, y]) => {
  const [width, height] = [tactus.view.size.width, tactus.view.size.height].map((size) => Math.round(0.4 * size));
  const bitmap = await createImageBitmap(await tactus.view.screenshot(width, height));
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.drawImage(bitmap, -Math.round(x * width), -Math.round(y * height));
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}, [x, y]);
const grey = ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) < 24;

check('a cut opens the body and shows where it lies', async () => {
  const middle = () => page.evaluate(() => {
    const { view } = tactus;
    return view.pick(view.size.width / 2, view.size.height / 2)?.position.toArray() ?? null;
  });
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('displacement');
  const whole = await middle();
  assert.ok(whole && !grey(await colourAt(0.5, 0.5)), 'the kidney is in the middle, in colour');
  await radio('Cut', 'y').click();
  await page.locator('.legends').getByText('y =').waitFor();
  // What was nearest is cut off; the inside is plain, and nothing to touch.
  const inside = await colourAt(0.5, 0.5);
  assert.ok(grey(inside), `the cut is not plain: ${inside}`);
  assert.equal(await middle(), null);
  await shoot(page, 'tools-cut');
  await section().getByRole('button', { name: 'Flip' }).click();
  assert.ok(distance(await middle(), whole) < 1e-4, 'flipped, the near half is there');
  await section().getByRole('button', { name: 'Flip' }).click();
  const slider = section().getByRole('slider', { name: 'Place' });
  await slider.press('ArrowRight');
  const place = millimetres(await page.evaluate(() => tactus.view.element.dataset.cut));
  assert.ok(Math.abs(place) > 0.05, `${place} mm`);
  await radio('Cut', 'Free').click();
  const turn = section().getByRole('slider', { name: 'Turn' });
  await turn.waitFor();
  // The ball on the plane shifts it.
  const [x, y] = await page.evaluate(() => {
    const { view } = tactus;
    const { left, top } = view.element.getBoundingClientRect();
    const at = view.project(view.clip.middle);
    return [left + at.x, top + at.y];
  });
  const before = await page.evaluate(() => tactus.view.clip.place);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30, { steps: 3 });
  await page.mouse.up();
  const dragged = await page.evaluate(() => tactus.view.clip.place);
  assert.ok(Math.abs(dragged - before) > 0.001, `the plane went from ${before} to ${dragged}`);
  await shoot(page, 'tools-cut-free');
  await page.keyboard.press('c'); // after free comes the whole
  assert.equal(await page.evaluate(() => tactus.view.clip.on), false);
  assert.ok(distance(await middle(), whole) < 1e-4);
});

check('measures and probes stick to the surface as it is pressed', async () => {
  const [near, ...others] = await vertices();
  const from = await vertexAt(near);
  const inward = await page.evaluate(([x, y]) => {
    const { left, top } = tactus.view.element.getBoundingClientRect();
    return tactus.view.pick(x - left, y - top).normal.negate().toArray();
  }, from.pixel);
  const apart = await Promise.all(others.map(async (v) => {
    const { at } = await vertexAt(v);
    const far = distance(at, from.at);
    return { v, far, along: at.reduce((sum, x, k) => sum + (x - from.at[k]) * inward[k], 0) / far };
  }));
  const distant = apart.filter((each) => each.far > 0.012).sort((a, b) => b.along - a.along);
  const [far, third] = [distant[0].v, distant.at(-1).v]; // a press brings the first nearer most
  const click = async (v) => page.mouse.click(...(await vertexAt(v)).pixel);
  await page.keyboard.press('m');
  await click(near);
  await click(far);
  const lengthRow = section().getByRole('listitem').filter({ hasText: 'Distance' });
  const expected = async () => 1000 * distance((await vertexAt(near)).at, (await vertexAt(far)).at);
  const length = async () => millimetres(await lengthRow.locator('output').innerText());
  const first = await length();
  assert.ok(Math.abs(first - (await expected())) < 0.4, `${first} mm instead of ${await expected()} mm`);
  await page.keyboard.press('a');
  for (const v of [near, far, third]) await click(v);
  const corner = await section().getByRole('listitem').filter({ hasText: 'Angle' }).locator('output').innerText();
  const [a, b, c] = await Promise.all([near, far, third].map(async (v) => (await vertexAt(v)).at));
  const cosine = a.reduce((sum, x, k) => sum + (x - b[k]) * (c[k] - b[k]), 0) / (distance(a, b) * distance(c, b));
  assert.ok(Math.abs(parseFloat(corner) - (180 * Math.acos(cosine)) / Math.PI) < 2, `${corner}, cosine ${cosine}`);
  await page.keyboard.press('q');
  const { pixel } = await vertexAt(near);
  await page.mouse.move(pixel[0] + 1, pixel[1]);
  await page.mouse.move(...pixel);
  const card = page.locator('.probe-card');
  await card.getByText('kidney', { exact: true }).waitFor();
  await page.mouse.click(...pixel);
  const pin = section().locator('.probes li');
  assert.match(await pin.innerText(), new RegExp(`Vertex\\s+${near}\\b`));
  await shoot(page, 'tools-probe');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => tactus.view.pointing), null);
  assert.equal(await page.evaluate(() => seen.frame.tools[0].led && !seen.frame.tools[0].lifted), false);

  await page.getByRole('combobox', { name: 'Colour' }).selectOption('stress');
  await page.mouse.move(...pixel);
  await page.evaluate(() => (tactus.hand.depth = 0.009));
  await page.mouse.down();
  await until('the surface is pressed in', () => page.evaluate((v) => {
    const { scale, values } = seen.surfaces[0] ?? {};
    return values && scale * Math.hypot(values[4 * v], values[4 * v + 1], values[4 * v + 2]) > 0.003 * 32767;
  }, near));
  await until('the measure follows', async () => Math.abs((await length()) - (await expected())) < 0.4);
  assert.ok(Math.abs((await expected()) - first) > 0.5, 'the press changes nothing');
  assert.equal(millimetres(await lengthRow.locator('small').innerText()), first);
  const number = (label) => pin.evaluate((row, label) => {
    const [name] = [...row.querySelectorAll('dt')].filter((each) => each.textContent === label);
    const [, value, unit] = /([\d.,]+) (\S+)/.exec(name?.nextSibling.textContent ?? '') ?? [];
    return value ? Number(value.replace(',', '')) * { m: 1, mm: 1e-3, µm: 1e-6, Pa: 1, kPa: 1e3 }[unit] : NaN;
  }, label);
  await until('the probe tells stress and displacement there', async () => {
    const [moved, stress] = [await number('Displacement'), await number('Von Mises stress')];
    const there = await page.evaluate((v) => {
      const { scale, values } = seen.surfaces[0];
      const field = seen.fields[1];
      return [scale * Math.hypot(values[4 * v], values[4 * v + 1], values[4 * v + 2]) / 32767,
        field ? (field.scale * field.values[v]) / 65535 : NaN];
    }, near);
    return Math.abs(moved - there[0]) < 0.1 * there[0] && Math.abs(stress - there[1]) < 0.25 * there[1];
  });
  await shoot(page, 'tools-measure');

  // However near one looks and wherever the tool is, the force is told within the picture.
  // The middle of a sprite in the picture, from -1 to 1, and half its height: as three's shader places it.
  const words = () => page.evaluate(() => {
    const { view } = tactus;
    const found = [];
    view.scene.traverse((each) => {
      if (!each.isSprite || each.renderOrder !== 100 || !each.visible) return;
      const place = each.position.clone().project(view.camera).y;
      const at = each.position.clone().applyMatrix4(view.camera.matrixWorldInverse);
      const [wide, tall] = [-at.z * each.scale.x, -at.z * each.scale.y];
      at.x += (0.5 - each.center.x) * wide;
      at.y += (0.5 - each.center.y) * tall;
      const half = (0.5 * tall) / (-at.z * Math.tan((view.camera.fov * Math.PI) / 360));
      at.applyMatrix4(view.camera.projectionMatrix);
      found.push({ x: at.x, y: at.y, half, place });
    });
    return found;
  });
  const within = (all, count) =>
    all.length === count && all.every(({ x, y, half }) => Math.abs(x) < 1 && Math.abs(y) + half <= 1);
  for (let times = 0; times < 3; ++times) {
    // So near, about where it is pressed, that the arrow and places leave the picture.
    await page.evaluate(([x, y]) => {
      const { left, top } = tactus.view.element.getBoundingClientRect();
      tactus.view.rig.zoom(0.55, x - left, y - top);
    }, pixel);
    await until('all words are in the picture', async () => within(await words(), 4));
  }
  await shoot(page, 'tools-near');
  await page.mouse.up();
  await until('the hand has let go', () => page.evaluate(() => Math.hypot(...seen.frame.tools[0].force) === 0));
  for (const [dy, side] of [[-600, 1], [1200, -1]]) {
    await page.evaluate((dy) => tactus.view.rig.pan(0, dy), dy);
    await until('places are out of the picture, and what is said of them is not', async () => {
      const all = await words();
      return within(all, 3) && all.every(({ place }) => side * place > 1);
    });
  }
  await page.evaluate(() => tactus.view.preset('home'));
  for (const kind of ['distance', 'angle', 'probe'])
    await section().getByRole('button', { name: `Remove this ${kind}` }).click();
  assert.equal(await section().getByRole('listitem').count(), 0);
});

check('the bodies are saved as glTF as they are', async () => {
  await command(page, 'pause', { value: 1 });
  await until('the world stands still', () => page.evaluate(() => tactus.state.paused));
  const saving = page.waitForEvent('download');
  await page.keyboard.press('e');
  const download = await saving;
  assert.match(download.suggestedFilename(), /^kidney-\d{4}-\d\d-\d\d-\d{6}\.glb$/);
  const file = join(folder, 'kidney.glb');
  await download.saveAs(file);
  const [mesh, ...more] = parseGlb(readFileSync(file)).meshes;
  assert.equal(more.length, 0);
  const shown = await page.evaluate(() => {
    const { rest, triangles } = seen.bodies[0];
    const { scale, values } = seen.surfaces[0];
    const positions = Array.from(rest, (x, i) => x + (scale * values[4 * Math.floor(i / 3) + (i % 3)]) / 32767);
    return { positions, triangles: triangles.length / 3 };
  });
  assert.equal(mesh.name, 'kidney');
  assert.equal(mesh.positions.length, shown.positions.length);
  assert.equal(mesh.triangles.length / 3, shown.triangles);
  for (let k = 0; k < 3; ++k) {
    const of = (list) => list.filter((_, i) => i % 3 === k);
    assert.ok(Math.abs(Math.min(...of(shown.positions)) - mesh.min[k]) < 1e-4, `least of ${'xyz'[k]}`);
    assert.ok(Math.abs(Math.max(...of(shown.positions)) - mesh.max[k]) < 1e-4, `most of ${'xyz'[k]}`);
  }
});

check('a video of the view is saved', async () => {
  await page.keyboard.press('w');
  await until('something is written', () => page.evaluate(() => Number(tactus.view.element.dataset.video) > 2000));
  await section().getByText(/^Filming: [\d.:]+ s?, \d+ kB|MB$/).waitFor();
  const saving = page.waitForEvent('download');
  await section().getByRole('button', { name: 'Stop' }).click();
  const download = await saving;
  assert.match(download.suggestedFilename(), /^kidney-\d{4}-\d\d-\d\d-\d{6}\.(webm|mp4)$/);
  const file = join(folder, 'video');
  await download.saveAs(file);
  const bytes = readFileSync(file);
  const magic = bytes.readUInt32BE(0) === 0x1a45dfa3 || bytes.toString('latin1', 4, 8) === 'ftyp';
  assert.ok(magic && bytes.length > 2000, `${bytes.length} bytes: ${bytes.subarray(0, 12).toString('hex')}`);
  const cinema = await browser.newPage(); // the program's own pages play no video
  const shown = await cinema.evaluate(async (data) => {
    const video = document.createElement('video');
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))]));
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error.message));
    });
    return [video.videoWidth, video.videoHeight];
  }, bytes.toString('base64'));
  await cinema.close();
  assert.ok(shown[0] > 100 && shown[1] > 100, `the video has ${shown} pixels`);
  assert.equal(await page.evaluate(() => tactus.view.painters.length), 0);
});

check('a bent beam is cut, measured and saved as it is seen', async () => {
  await openScene(page, 'twisting-beam');
  await command(page, 'demo', { value: 1 });
  await until('it is twisted', () => page.evaluate(() => Number(tactus.view.element.dataset.displacement) > 10));
  await command(page, 'pause', { value: 1 });
  await until('the world stands still', () => page.evaluate(() => tactus.state.paused));
  let last = -1;
  await until('so do its pictures', async () => last === (last = await page.evaluate(() => seen.frame.tick)));
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('displacement');
  await until('the scale reaches so far', () => page.evaluate(() => {
    const { colour, colouring, element } = tactus.view;
    return colour === 'displacement' && 1000 * colouring.tacColourMost.value >= 0.9 * element.dataset.displacement;
  }));

  const saving = page.waitForEvent('download');
  await page.keyboard.press('e');
  const file = join(folder, 'beam.glb');
  await (await saving).saveAs(file);
  const { positions, triangles, colours } = parseGlb(readFileSync(file)).meshes[0];
  assert.equal(triangles.length, await page.evaluate(() => seen.models[0].triangles.length));
  const shades = new Set(colours).size;
  const scale = await page.evaluate(() => [tactus.view.colour, tactus.view.colouring.tacColourMost.value]);
  assert.ok(shades > 10, `displacement colours it: ${shades} values, ${scale}`);
  // The graphics card computes the same places: what is seen at that of a vertex lies there.
  const off = await page.evaluate((positions) => {
    const { view } = tactus;
    const all = [];
    for (let v = 0; v < positions.length / 3; v += 7) {
      const at = view.centre.clone().fromArray(positions, 3 * v);
      const { x, y } = view.project(at);
      const away = view.pick(x, y)?.position.distanceTo(at);
      if (away < 0.02) all.push(away); // others are behind it, or at its outline
    }
    return all.sort((a, b) => a - b);
  }, Array.from(positions));
  assert.ok(off.length > 20 && off[off.length >> 1] < 5e-4, `half of ${off.length} are within ${off[off.length >> 1]} m`);

  await radio('Cut', 'z').click();
  // Beside the cut, what is left of the outside is seen as before.
  const seenAt = (x, y, z) => page.evaluate((at) => {
    const { view } = tactus;
    const { x, y } = view.project(view.centre.clone().fromArray(at));
    const { width, height } = view.size;
    return { x: x / width, y: y / height, hit: view.pick(x, y) !== null };
  }, [x, y, z]);
  const cut = await seenAt(0.03, 0, 0); // it is held there
  const side = await seenAt(0.03, -0.02, -0.012);
  assert.deepEqual([cut.hit, side.hit], [false, true]);
  assert.ok(grey(await colourAt(cut.x, cut.y)), 'the cut is plain');
  assert.ok(!grey(await colourAt(side.x, side.y)), 'the side has its colour');
  await shoot(page, 'tools-beam');
  const again = await page.evaluate(() => {
    const { view } = tactus;
    const before = JSON.stringify(view.clip.choice);
    view.load({ ...view.world, name: 'another' });
    const other = view.clip.on;
    view.load(tactus.state.scene);
    return { other, same: JSON.stringify(view.clip.choice) === before };
  });
  assert.deepEqual(again, { other: false, same: true }, 'each scene has a cut of its own');
});
