import { record, text, type Guard } from '../../../protocol/guards';

const named = record({ panel: text(1 << 24) });

/** Identifies a panel by its input, in the state that its webview stores. */
export function panelName(input: object): string {
  return JSON.stringify(input);
}

/** Reads the input that a panel showed before a reload. A forged name is harmless, because files are only read and shown. */
export function inputBefore<Input>(read: Guard<Input>): Guard<Input> {
  return (state) => {
    const name = named(state);
    if (name === undefined) return undefined;
    try {
      return read(JSON.parse(name.panel));
    } catch {
      return undefined;
    }
  };
}
