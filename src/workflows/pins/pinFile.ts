/** `.kymo/pins.json`: what the user wants in or out of the instrumentation, and the changes that can be undone. */

export type PinState = 'in' | 'out';

export interface Pin {
  /** Of the function in the call graph. */
  readonly key: string;
  /** As people read it; also finds the function again when its key changed. */
  readonly name: string;
  /** Absolute. */
  readonly file?: string;
  readonly state: PinState;
}

/** One change of the user, with what was there before. */
export interface PinStep {
  /** What was done, as a sentence without its end: `Excluded step()`. */
  readonly title: string;
  readonly before: readonly { readonly key: string; readonly pin?: Pin }[];
}

export interface PinFile {
  /** One for each key. */
  readonly pins: readonly Pin[];
  /** The oldest first. */
  readonly history: readonly PinStep[];
}

/** What a pin becomes. */
export interface ChangedPin extends Omit<Pin, 'state'> {
  /** `none` takes it away. */
  readonly state: PinState | 'none';
}

export const noPins: PinFile = { pins: [], history: [] };

/** More changes than these are not undone one by one. */
const longestHistory = 50;

/**
 * Reads the text of the file. Entries that make no sense are left out and told; a text that is no pin file at all is an error.
 * @throws SyntaxError with what was expected
 */
export function parsePins(text: string): { readonly file: PinFile; readonly problems: readonly string[] } {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value.kymoPins !== 1 || !Array.isArray(value.pins))
    throw new SyntaxError('expected {"kymoPins": 1, "pins": […]}');
  const problems: string[] = [];
  const pins = new Map<string, Pin>();
  value.pins.forEach((entry: unknown, position) => {
    const pin = readPin(entry);
    if (pin === undefined)
      problems.push(`entry ${position + 1} is left out: it needs "key", "name" and "state" ("in" or "out")`);
    else pins.set(pin.key, pin);
  });
  const history = Array.isArray(value.history) ? value.history.flatMap(readStep) : [];
  return { file: { pins: [...pins.values()], history }, problems };
}

export function pinsText({ pins, history }: PinFile): string {
  return `${JSON.stringify({ kymoPins: 1, pins, history: history.slice(-longestHistory) }, undefined, 1)}\n`;
}

/** The file after a change, which can be undone as one; the same file when all of it holds already. */
export function withPins(file: PinFile, changes: readonly ChangedPin[], title: string): PinFile {
  const pins = new Map(file.pins.map((pinned) => [pinned.key, pinned]));
  const changed = changes.filter(({ key, state }) => (pins.get(key)?.state ?? 'none') !== state);
  if (changed.length === 0) return file;
  const before = changed.map(({ key }) => {
    const was = pins.get(key);
    return { key, ...(was === undefined ? {} : { pin: was }) };
  });
  for (const { key, name, file: place, state } of changed) {
    if (state === 'none') pins.delete(key);
    else pins.set(key, { key, name, ...(place === undefined ? {} : { file: place }), state });
  }
  return { pins: [...pins.values()], history: [...file.history, { title, before }] };
}

function readPin(value: unknown): Pin | undefined {
  if (!isRecord(value)) return undefined;
  const { key, name, file, state } = value;
  if (typeof key !== 'string' || key === '' || typeof name !== 'string') return undefined;
  if (state !== 'in' && state !== 'out') return undefined;
  return { key, name, ...(typeof file === 'string' ? { file } : {}), state };
}

/** A damaged step cannot be undone, and says nothing: it is dropped. */
function readStep(value: unknown): readonly PinStep[] {
  if (!isRecord(value) || typeof value.title !== 'string' || !Array.isArray(value.before)) return [];
  const before = value.before.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.key !== 'string') return [];
    const pin = readPin(entry.pin);
    return [{ key: entry.key, ...(pin === undefined ? {} : { pin }) }];
  });
  return before.length === 0 ? [] : [{ title: value.title, before }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
