/**
 * How much is spent on a picture. Without a graphics card every pixel is computed by the processor, which the 1 kHz
 * loop may need: then light is simpler, edges are rougher and pictures fewer.
 */
export const QUALITIES = {
  full: {
    antialias: true,
    physical: true,
    environment: true,
    shadowMap: 2048,
    mostPixelRatio: 2,
    leastInterval: 0, // s
    slow: 0.024, // s that a picture takes, above which it has fewer pixels,
    fast: 0.0185, // and below which it may have more
  },
  light: {
    antialias: false,
    physical: false,
    environment: false,
    shadowMap: 1024,
    mostPixelRatio: 1,
    leastInterval: 0.045,
    slow: 0.07,
    fast: 0.03,
  },
};

/** Whether WebGL is computed by the processor here. */
function isSoftware() {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return false; // three says what is wrong
  const names = context.getExtension('WEBGL_debug_renderer_info');
  const name = context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** @param {'full'|'light'} [wanted] all the time; by default what suits the machine, and `adapts` to what it can do */
export function chooseQuality(wanted) {
  if (Object.hasOwn(QUALITIES, wanted ?? '')) return { ...QUALITIES[wanted], adapts: false };
  return { ...QUALITIES[isSoftware() ? 'light' : 'full'], adapts: true };
}
