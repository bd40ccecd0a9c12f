import { VERSION, decode, encodeCommand, encodeShown } from './protocol/protocol.js';

const kept = 'tactus.token';
const tryLater = 1013; // the code with which a server closes that has no room
const hiddenPace = 500; // ms between frames that nobody sees
const silence = 1500; // ms without a word after which a program stands still: it says every half second that it is there
const glance = 250; // ms between looks whether it does
const backOff = [500, 1000, 2000, 4000, 8000]; // ms before another attempt

/** Messages about what a scene has. */
export const GEOMETRY = ['body', 'model', 'rigid', 'shell', 'slice', 'isosurface', 'loadModes'];

/**
 * The socket to the program, opened again whenever it falls.
 *
 * Events: `link` when `link` changes; `welcome`, `state`, `frame`, `notice`, `held` (a notice that another page holds the tool that this
 * one wants to touch with) and GEOMETRY with the decoded message as
 * detail. Geometry and frames of another load than the state's never come. Frames have the ticks since the frame before.
 */
export class Connection extends EventTarget {
  /** @type {'connecting'|'open'|'still'|'lost'|'refused'|'full'|'outdated'} */
  link = 'connecting';
  /** What the frames shall contain; asked with every frame that was shown. */
  requests = () => 0;
  /** Where the link is 'refused': why, in the program's words. */
  refusal = '';
  /** Where the link is 'still': since when. @type {Date|null} */
  since = null;
  load = -1;
  received = 0; // frames, since the page began
  drawn = 0; // pictures that had a new frame in them

  #socket = null;
  #attempts = 0;
  #timer = 0;
  #unshown = []; // numbers of frames
  #animation = 0;
  #hiddenTimer = 0;
  #ticks = []; // that came since the last frame
  #lastMessage = 0; // ms, when the last message came
  #lastLook = 0; // ms, whether it does

  constructor(address = location) {
    super();
    const token = new URLSearchParams(address.search).get('token');
    if (token !== null) sessionStorage.setItem(kept, token);
    this.token = token ?? sessionStorage.getItem(kept) ?? '';
    this.#host = `${address.protocol === 'https:' ? 'wss' : 'ws'}://${address.host}`;
    addEventListener('online', () => this.link === 'lost' && this.open());
    setInterval(() => this.#look(), glance);
  }

  #host;

  /** The path with the token that the program asks for. */
  path(path) {
    return this.token ? `${path}?token=${encodeURIComponent(this.token)}` : path;
  }

  /** Connects, now. */
  open() {
    clearTimeout(this.#timer);
    this.#socket?.close();
    const socket = new WebSocket(this.#host + this.path('/socket'));
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    let opened = false;
    socket.onopen = () => (opened = true);
    socket.onmessage = (event) => socket === this.#socket && this.#receive(event.data);
    socket.onclose = (event) => socket === this.#socket && this.#closed(opened, event.code);
  }

  /** @param {ArrayBuffer|Uint8Array} bytes dropped while there is no connection */
  send(bytes) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** @param {number} command @param {{index?: number, value?: number, text?: string}} [details] */
  command(command, details = {}) {
    this.send(encodeCommand(command, details));
  }

  /** Says so while an open connection is silent: the program has been stopped, or its machine has nothing left for it. */
  #look() {
    const now = performance.now();
    if (now - this.#lastLook > silence) this.#lastMessage = now; // the page itself stood still, or slept
    this.#lastLook = now;
    if (this.link !== 'open' || now - this.#lastMessage < silence) return;
    this.since = new Date(Date.now() - (now - this.#lastMessage));
    this.#set('still');
  }

  #receive(data) {
    this.#lastMessage = performance.now();
    if (this.link === 'still') this.#set('open');
    if (new Uint8Array(data)[1] !== VERSION) return this.#outdated();
    let message;
    try {
      message = decode(data);
    } catch (error) {
      console.error(error);
      return this.#socket.close(); // nothing after it can be trusted; what comes first on a new connection is whole
    }
    if (!message) return;
    switch (message.type) {
      case 'welcome':
        if (message.protocol !== VERSION) return this.#outdated();
        this.#attempts = 0;
        this.#ticks = [];
        this.load = -1; // the program may be another one, which counts its loads anew
        this.#set('open');
        break;
      case 'state':
        this.load = message.load;
        break;
      case 'beat':
        return;
      case 'ticks':
        if (message.load === this.load) this.#ticks.push(message);
        return;
      case 'frame':
        message.traces = this.#ticks.splice(0);
        ++this.received;
        this.#unshown.push(message.number);
        break;
    }
    const old = [...GEOMETRY, 'frame'].includes(message.type) && message.load !== this.load;
    const type = message.type === 'notice' && message.kind === 'held' ? 'held' : message.type;
    if (!old) this.dispatchEvent(new CustomEvent(type, { detail: message }));
    if (message.type === 'frame') this.#soonShown(); // after the view has asked for its own turn to draw
  }

  /** Says `shown` once the frame is on the screen; in a hidden tab, where nothing is drawn, now and then. */
  #soonShown() {
    if (this.#animation) return;
    this.#animation = requestAnimationFrame(() => {
      ++this.drawn;
      this.#shown();
    });
    this.#hiddenTimer = setTimeout(() => this.#shown(), hiddenPace);
  }

  #shown() {
    cancelAnimationFrame(this.#animation);
    clearTimeout(this.#hiddenTimer);
    this.#animation = 0;
    for (const number of this.#unshown.splice(0)) this.send(encodeShown(number, this.requests()));
  }

  #outdated() {
    const socket = this.#socket;
    this.#socket = null;
    socket.close();
    this.#set('outdated');
  }

  async #closed(opened, code) {
    this.#unshown = [];
    const socket = this.#socket;
    const status = opened ? 0 : await this.#ask();
    if (socket !== this.#socket) return; // opened again meanwhile
    this.#set(status === 403 ? 'refused' : status === 503 || code === tryLater ? 'full' : 'lost');
    if (this.link === 'refused') return; // the same token will be refused again
    const wait = backOff[Math.min(this.#attempts++, backOff.length - 1)];
    this.#timer = setTimeout(() => this.open(), wait * (0.8 + 0.4 * Math.random()));
  }

  /** A browser does not tell a page why its socket was refused; a plain request does. */
  async #ask() {
    try {
      const answer = await fetch(this.path('/socket'), { cache: 'no-store' });
      this.refusal = (await answer.text()).trim();
      return answer.status;
    } catch {
      return 0;
    }
  }

  #set(link) {
    if (this.link === link) return;
    this.link = link;
    this.dispatchEvent(new Event('link'));
  }
}
