import { COMMAND } from '../protocol/protocol.js';
import { button, relabel } from './widgets/button.js';
import { Choice } from './widgets/choice.js';
import { element, setText } from './widgets/element.js';
import { Grip } from './widgets/grip.js';
import { clock } from '../text/quantity.js';
import { Recordings } from './recordings.js';
import { throttle } from './widgets/throttle.js';

const speeds = [0.1, 0.5, 1, 2];
const paces = [
  { id: '1', label: '1', hint: 'Real time' },
  ...[2, 5, 10, 50].map((slower) => ({ id: String(1 / slower), label: `1/${slower}`, hint: `Slow motion: ${slower} times slower` })),
];

/** The bar below the view: runs, records and replays. */
export class Transport {
  #page;
  #pause;
  #record;
  #play;
  #slider;
  #grip;
  #seek;
  #speed;
  #pace;
  #chosen = 1;
  #opened = null; // the recording that shall play once it is there
  #live;
  #replay;
  #recordings;
  #back;
  #time = element('output', { className: 'time', 'aria-label': 'Time' });
  #name = element('span', { className: 'soft name' });

  constructor(page) {
    this.#page = page;
    const send = (command, details) => page.connection.command(command, details);
    this.#pause = button('Pause', 'pause', () => this.pause(), { wide: true, keys: 'P' });
    this.#record = button('Record', 'record', () => this.record(), { wide: true, keys: 'R', className: 'red' });
    this.#recordings = new Recordings(page.connection, (file) => {
      this.#opened = file;
      send(COMMAND.replay, { text: file });
    });
    this.#live = element(
      'div',
      { className: 'group', role: 'group', 'aria-label': 'Run' },
      this.#pause,
      button('One tick', 'step', () => this.step(1), { keys: '.' }),
      button('Ten ticks', 'steps', () => this.step(10), { keys: '>' }),
      button('Reset', 'reset', () => this.reset(), { wide: true, keys: '0' }),
      this.#record,
    );
    this.#play = button('Play', 'play', () => this.pause(), { wide: true, keys: 'P' });
    this.#seek = throttle((seconds) => send(COMMAND.seek, { value: seconds }));
    this.#slider = element('input', {
      type: 'range',
      className: 'seek',
      min: 0,
      step: 0.01,
      'aria-label': 'Time in the recording',
      oninput: () => {
        this.#seek(+this.#slider.value);
        this.#showTime(+this.#slider.value);
      },
    });
    this.#grip = new Grip(this.#slider, () => this.#showTime(page.time));
    this.#speed = new Choice(
      'Speed',
      speeds.map((speed) => ({ id: String(speed), label: `${speed}×` })),
      (speed) => {
        this.#chosen = +speed;
        if (page.state.replay.speed > 0) send(COMMAND.play, { value: this.#chosen });
      },
    );
    this.#pace = new Choice('Slow motion', paces, (speed) => send(COMMAND.speed, { value: +speed }));
    this.#replay = element(
      'div',
      { className: 'group replay', role: 'group', 'aria-label': 'Replay' },
      this.#play,
      this.#slider,
    );
    this.#back = button('Back to live', 'close', () => this.live(), { wide: true, keys: 'B' });
    this.element = element(
      'div',
      { className: 'bar-content' },
      this.#live,
      this.#replay,
      this.#time,
      this.#pace.element,
      this.#speed.element,
      this.#name,
      this.#recordings.element,
      this.#back,
    );
  }

  state(state) {
    const replaying = state.replay !== null;
    this.element.classList.toggle('replaying', replaying);
    this.#live.hidden = replaying;
    for (const part of [this.#replay, this.#speed.element, this.#back]) part.hidden = !replaying;
    // A real hand cannot be slowed.
    this.#pace.element.hidden = replaying || !(state.scene?.tools ?? []).every((tool) => tool.pointer);
    this.#pace.value = String(state.speed ?? 1);
    relabel(this.#pause, state.paused ? 'Continue' : 'Pause', 'P', state.paused ? 'play' : 'pause');
    relabel(this.#record, state.recording ? 'Stop recording' : 'Record', 'R', state.recording ? 'stop' : 'record');
    this.#record.classList.toggle('on', state.recording !== null);
    setText(this.#name, state.recording?.file ?? state.replay?.file ?? '');
    this.#name.title = this.#name.textContent;
    if (replaying) {
      if (state.replay.file === this.#opened && state.replay.speed === 0) {
        this.#page.connection.command(COMMAND.play, { value: this.#chosen });
      }
      this.#opened = null;
      const plays = state.replay.speed > 0;
      relabel(this.#play, plays ? 'Pause' : 'Play', 'P', plays ? 'pause' : 'play');
      if (speeds.includes(state.replay.speed)) this.#chosen = state.replay.speed;
      this.#speed.value = String(this.#chosen);
      this.#slider.max = state.replay.duration;
    }
    this.#recordings.state(state);
  }

  frame(frame) {
    if (!this.#grip.held) this.#showTime(frame.time);
  }

  /** Pauses or continues whatever is shown. */
  pause() {
    const { connection, state, time } = this.#page;
    if (!state.replay) return connection.command(COMMAND.pause, { value: state.paused ? 0 : 1 });
    const plays = state.replay.speed > 0;
    if (!plays && time >= state.replay.duration - 0.01) connection.command(COMMAND.seek, { value: 0 });
    connection.command(COMMAND.play, { value: plays ? 0 : this.#chosen });
  }

  /** Goes so many ticks on, or back in a replay, and stands still then. */
  step(ticks) {
    const { connection, state } = this.#page;
    if (state.replay) {
      if (state.replay.speed > 0) connection.command(COMMAND.play);
      return this.jump(ticks / state.scene.rate);
    }
    if (ticks < 0) return undefined;
    if (!state.paused) connection.command(COMMAND.pause, { value: 1 });
    connection.command(COMMAND.step, { value: ticks });
  }

  reset() {
    if (!this.#page.state.replay) this.#page.connection.command(COMMAND.reset);
  }

  record() {
    const { connection, state } = this.#page;
    if (!state.replay) connection.command(COMMAND.record, { value: state.recording ? 0 : 1 });
  }

  /** Seconds forth or back in the replay. */
  jump(seconds) {
    const { state, time } = this.#page;
    if (state.replay) this.#seek(Math.min(state.replay.duration, Math.max(0, time + seconds)));
  }

  /** Leaves the replay. */
  live() {
    if (this.#page.state.replay) this.#page.connection.command(COMMAND.replay);
  }

  #showTime(time) {
    const { replay } = this.#page.state;
    const text = replay ? `${clock(time)} / ${clock(replay.duration)}` : clock(time);
    setText(this.#time, text);
    if (!replay) return;
    if (!this.#grip.held) this.#slider.value = time;
    this.#slider.setAttribute('aria-valuetext', clock(time));
  }
}
