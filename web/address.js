import { COMMAND } from './protocol/protocol.js';

const ending = /\.yaml$/;

/** What an address names: a scene as in the gallery, without its ending, and a recording that is replayed. */
function read(search) {
  const query = new URLSearchParams(search);
  return { scene: query.get('scene')?.replace(ending, '') ?? '', replay: query.get('replay') ?? '' };
}

/** The same of the program's state; null while it is on its way to something else. */
function shown({ phase, scene, replay }) {
  if (phase === 'gallery') return { scene: '', replay: '' };
  if (!['running', 'replaying'].includes(phase) || !scene) return null;
  return { scene: scene.file.replace(ending, ''), replay: replay?.file ?? '' };
}

/** A recording is the same wherever its scene lies. */
const same = (a, b) => a.replay === b.replay && (a.replay !== '' || a.scene === b.scene);

/**
 * Keeps the page's address and what is shown the same: a scene that opens, from whichever page, is a step that Back goes
 * back, and an address with a scene opens it. The token does not stay in the address, which people share; the connection
 * has it for as long as the tab is there.
 */
export class Address {
  #connection;
  #scenes = [];
  #now = null; // what is shown
  #wanted; // what the address asks for and is not shown yet; null: nothing
  #opened = false; // its scene was asked for

  /** @param {import('./connection.js').Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    const asked = read(location.search);
    this.#wanted = asked.scene || asked.replay ? asked : null;
    this.#write('replaceState', asked);
    connection.addEventListener('welcome', ({ detail }) => (this.#scenes = detail.scenes));
    connection.addEventListener('notice', ({ detail }) => detail.kind === 'error' && this.#giveUp());
    addEventListener('popstate', () => this.#go(read(location.search)));
  }

  state(state) {
    const now = shown(state);
    if (state.phase === 'failed') this.#wanted = null; // the address stays: it can be read again
    if (!now) return;
    const first = this.#now === null;
    const changed = first || !same(now, this.#now);
    this.#now = now;
    if (this.#wanted) {
      if (same(now, this.#wanted)) this.#wanted = null;
      else if (changed && this.#opened && now.scene !== this.#wanted.scene) this.#giveUp(); // another page wants another
      else if (changed) this.#ask(); // the first state, or the scene of a recording that is to be replayed
      return;
    }
    if (!same(now, read(location.search))) this.#write(first ? 'replaceState' : 'pushState', now);
  }

  /** Back or Forward. */
  #go(wanted) {
    this.#opened = false;
    this.#wanted = this.#now && same(wanted, this.#now) ? null : wanted;
    if (this.#wanted && this.#now) this.#ask();
  }

  #ask() {
    const { scene, replay } = this.#wanted;
    if (scene !== this.#now.scene) {
      this.#opened = true;
      this.#connection.command(COMMAND.open, { text: this.#file(scene) });
    } else {
      this.#connection.command(COMMAND.replay, { text: replay });
    }
  }

  #file(scene) {
    return scene && (this.#scenes.find(({ file }) => file.replace(ending, '') === scene)?.file ?? `${scene}.yaml`);
  }

  /** What was asked for cannot be had: the address says what is shown. */
  #giveUp() {
    if (!this.#wanted || !this.#now) return;
    this.#wanted = null;
    this.#write('replaceState', this.#now);
  }

  #write(how, { scene, replay }) {
    const query = new URLSearchParams(location.search);
    query.delete('token');
    for (const [name, value] of Object.entries({ scene, replay })) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    const text = query.toString().replaceAll('%2F', '/');
    history[how](null, '', text ? `?${text}` : location.pathname);
  }
}
