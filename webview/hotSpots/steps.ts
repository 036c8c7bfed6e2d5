import type { MovedFunctions } from '../../src/protocol/hotSpots';
import type { ProcessRanges } from '../../src/core/views/ranks/processRanges';
import type { ViewState } from './viewState';

/** All that a step of the user changes. */
export interface Snapshot {
  readonly state: ViewState;
  /** Processes whose values are shown; none: all. */
  readonly processes: ProcessRanges;
  /** Position of the compared profile, −1: none. */
  readonly compared: number;
  readonly moved: MovedFunctions;
}

const names: { readonly [Name in keyof ViewState]?: string } = {
  tab: 'View',
  metric: 'Metric',
  unit: 'Unit',
  treeSort: 'Sort Order',
  flatSort: 'Sort Order',
  groupSort: 'Sort Order',
  visitsSort: 'Sort Order',
  treeLayout: 'Columns',
  flatLayout: 'Columns',
  show: 'Shown Functions',
  direction: 'Callers or Callees',
  search: 'Search',
  fullNames: 'Full Names',
  showsThreads: 'Distribution',
  share: 'Height',
  zoom: 'Zoom',
};

/** Where the view is scrolled to, which is not undone. */
const places: readonly string[] = ['treeTop', 'functionsTop'] satisfies (keyof ViewState)[];

/** The step that changes these, in words; undefined: they are none. */
export function stepOf(changes: Partial<ViewState>): string | undefined {
  const [key] = Object.keys(changes) as (keyof ViewState)[];
  if (key === undefined || places.includes(key)) return undefined;
  return names[key] ?? 'Choice';
}

/** Whether steps of this kind that follow each other quickly are one: typing, resizing, walking over rows. */
export function mergesSteps(step: string): boolean {
  return ['Search', 'Selection', 'Columns', 'Height'].includes(step);
}

/** What the extension has to do to get from one snapshot to another; undefined: nothing. */
export function hostStep({ processes, compared, moved }: Snapshot, to: Snapshot): string | undefined {
  if (processes.join() !== to.processes.join()) return 'Processes';
  if (compared !== to.compared) return 'Comparison';
  return movesBetween(moved, to.moved).length > 0 ? 'Function Group' : undefined;
}

/** Functions that are in another group. @returns group by name, undefined: their own */
export function movesBetween(
  from: MovedFunctions,
  to: MovedFunctions,
): readonly (readonly [name: string, group: string | undefined])[] {
  const [before, after] = [new Map(from), new Map(to)];
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => [name, after.get(name)]);
}
