import { COMMAND } from '../protocol/protocol.js';
import { element } from './widgets/element.js';
import { Parameter } from './widgets/parameter.js';
import { section } from './widgets/section.js';

/** The sliders of what the scene lets people change. */
export class ParametersPanel {
  #connection;
  #list = element('div', { className: 'stack' });
  #parameters = [];
  #built = '';

  constructor({ connection }) {
    this.#connection = connection;
    this.element = section('Parameters', this.#list);
  }

  state(state) {
    const definitions = state.scene ? state.parameters : [];
    const key = JSON.stringify([this.#connection.load, definitions.map(({ value, ...fixed }) => fixed)]);
    if (key !== this.#built) this.#build(definitions, key);
    definitions.forEach((definition, index) => (this.#parameters[index].value = definition.value));
    this.element.hidden = definitions.length === 0 || state.phase === 'replaying';
  }

  #build(definitions, key) {
    this.#built = key;
    this.#list.replaceChildren();
    let owner = null;
    this.#parameters = definitions.map((definition, index) => {
      const of = definition.name.slice(0, Math.max(0, definition.name.lastIndexOf('.')));
      if (of !== owner && of !== '') this.#list.append(element('h3', {}, of));
      owner = of;
      const send = (value) => this.#connection.command(COMMAND.parameter, { index, value });
      const parameter = new Parameter(definition, send);
      this.#list.append(parameter.element);
      return parameter;
    });
  }
}
