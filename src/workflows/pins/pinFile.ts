import { laterVersion } from '../../core/fileVersion';
import { isRecord } from '../../core/present';

/** `.kymo/pins.json`: the functions that the user wants in or out of the instrumentation, and the changes that can be undone. */

export type PinState = 'in' | 'out';

export interface Pin {
  /** Key of the function in the call graph. */
  readonly key: string;
  /** Displayed name, which also identifies the function after its key has changed. */
  readonly name: string;
  /** Absolute path. */
  readonly file?: string;
  readonly state: PinState;
}

/** One change by the user, with the previous pins. */
export interface PinStep {
  /** Description of the change, as a sentence without full stop: `Excluded step()`. */
  readonly title: string;
  readonly before: readonly { readonly key: string; readonly pin?: Pin }[];
}

export interface PinFile {
  /** One pin per key. */
  readonly pins: readonly Pin[];
  /** Changes, the oldest first. */
  readonly history: readonly PinStep[];
}

/** The new state of a pin. */
export interface ChangedPin extends Omit<Pin, 'state'> {
  /** `none` removes the pin. */
  readonly state: PinState | 'none';
}

export const noPins: PinFile = { pins: [], history: [] };

/** Maximum number of changes that can be undone. */
const longestHistory = 50;

/**
 * Reads the text of the file. Invalid entries are ignored and reported; a text that is no pin file is an error.
 * @throws SyntaxError with the expected syntax
 */
export function parsePins(text: string): { readonly file: PinFile; readonly problems: readonly string[] } {
  const value: unknown = JSON.parse(text);
  const later = laterVersion(value, 'kymoPins', 1);
  if (later !== undefined) throw new SyntaxError(`it ${later}`);
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

/** The file after a change, which can be undone as one step; the same object if all pins have these states already. */
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

/** Reads a step; a damaged one is dropped without a report, because it cannot be undone. */
function readStep(value: unknown): readonly PinStep[] {
  if (!isRecord(value) || typeof value.title !== 'string' || !Array.isArray(value.before)) return [];
  const before = value.before.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.key !== 'string') return [];
    const pin = readPin(entry.pin);
    return [{ key: entry.key, ...(pin === undefined ? {} : { pin }) }];
  });
  return before.length === 0 ? [] : [{ title: value.title, before }];
}
