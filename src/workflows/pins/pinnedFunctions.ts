import type { CallGraph } from '../../core/callgraph/callGraph';
import type { SelectionOptions } from '../../core/selection/selectionOptions';
import type { Pin } from './pinFile';
import { readPinFile } from './pinStore';

export type Pinned = Pick<SelectionOptions, 'pinnedIn' | 'pinnedOut'>;

/**
 * The functions of a program that a workspace's pins select. A damaged file does not stop a refinement: it continues without pins and reports
 * this.
 * @param note receives sentences for the user
 */
export async function pinnedFunctions(
  workspace: string,
  graph: CallGraph,
  note: (sentence: string) => void,
): Promise<Pinned> {
  try {
    const { file, problems } = await readPinFile(workspace);
    for (const problem of problems) note(problem);
    return matchPins(file.pins, graph, note);
  } catch (error) {
    note(
      `Pins were not honoured in this refinement. ${error instanceof Error ? error.message : String(error)}`,
    );
    return { pinnedIn: new Set(), pinnedOut: new Set() };
  }
}

/**
 * Matches pins by key. A pin whose key the graph does not know (lines above a static function were edited, a file was moved) applies to the
 * only function of its name in its file, or else in the program. Pins without any match are not reported, because other targets of the
 * workspace have other functions.
 */
export function matchPins(
  pins: readonly Pin[],
  graph: CallGraph,
  note: (sentence: string) => void = () => undefined,
): Pinned {
  const pinned = { in: new Set<string>(), out: new Set<string>() };
  if (pins.length > 0) {
    const find = finder(graph);
    const own = new Set(pins.map(({ key }) => key));
    for (const pin of pins) {
      const key = find(pin);
      // A pin by key takes precedence over one by name.
      if (key === undefined || (key !== pin.key && own.has(key))) continue;
      if (key !== pin.key)
        note(`The pin of ${pin.name} was made before it moved, and holds for the one function of this name.`);
      pinned[pin.state].add(key);
    }
  }
  return { pinnedIn: pinned.in, pinnedOut: pinned.out };
}

/** Finds the key of a pin's function in this graph. */
function finder({ functions }: CallGraph): (pin: Pin) => string | undefined {
  const keys = new Set(functions.map(({ key }) => key));
  const unique = new Map<string, string | undefined>();
  const add = (place: string, key: string): void =>
    void unique.set(place, unique.has(place) ? undefined : key);
  for (const { key, name, file = '' } of functions) {
    add(name, key);
    add(`${name}\n${file}`, key);
  }
  return ({ key, name, file = '' }) =>
    keys.has(key) ? key : (unique.get(`${name}\n${file}`) ?? unique.get(name));
}
