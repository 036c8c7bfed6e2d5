import { valueModes, type ValueMode } from '../../src/core/views/valueModes';
import type { SortOrder } from '../ui/grid/columns';
import type { ValueTreeState } from './valueTree';

export const paneIds = ['metrics', 'calls', 'system'] as const;
export type PaneId = (typeof paneIds)[number];
type PerPane<Value> = Readonly<Record<PaneId, Value>>;

export const callTabs = ['tree', 'flat', 'flame'] as const;
export type CallTab = (typeof callTabs)[number];
export const systemTabs = ['tree', 'statistics'] as const;
export type SystemTab = (typeof systemTabs)[number];

/** What the user is looking at; kept over reloads by the webview, and checked when it comes back. */
export interface ViewState {
  /** Of the file's content: numbers of nodes below belong to it. */
  readonly id?: string;
  /** Unique name of the selected metric. */
  readonly metric?: string;
  readonly modes: PerPane<ValueMode>;
  readonly trees: PerPane<ValueTreeState>;
  readonly collapsed: PerPane<boolean>;
  readonly selected: readonly number[];
  readonly callTab: CallTab;
  readonly systemTab: SystemTab;
  /** Of the metrics, and of the call paths in what is left. */
  readonly shares: readonly [number, number];
  readonly fullNames: boolean;
}

/** More nodes are not kept. */
export const mostKept = 5000;

const usualTree: ValueTreeState = { expanded: [], sort: undefined, layout: undefined };

export const usualState: ViewState = {
  modes: { metrics: 'absolute', calls: 'absolute', system: 'absolute' },
  trees: {
    metrics: usualTree,
    calls: { ...usualTree, sort: { column: 'value', direction: 'descending' } },
    system: usualTree,
  },
  collapsed: { metrics: false, calls: false, system: false },
  selected: [],
  callTab: 'tree',
  systemTab: 'tree',
  shares: [0.24, 0.6],
  fullNames: false,
};

/** A state from an earlier time: whatever does not fit is as if it was never changed. */
export function readViewState(value: unknown): ViewState {
  const given = asRecord(value);
  const modes = asRecord(given.modes);
  const trees = asRecord(given.trees);
  const collapsed = asRecord(given.collapsed);
  const shares = Array.isArray(given.shares) ? (given.shares as readonly unknown[]) : [];
  return {
    ...(typeof given.id === 'string' ? { id: given.id } : {}),
    ...(typeof given.metric === 'string' ? { metric: given.metric } : {}),
    modes: perPane((pane) => valueModes.find((mode) => mode === modes[pane]) ?? usualState.modes[pane]),
    trees: perPane((pane) =>
      trees[pane] === undefined ? usualState.trees[pane] : readTree(asRecord(trees[pane])),
    ),
    collapsed: perPane((pane) => collapsed[pane] === true),
    selected: positions(given.selected),
    callTab: callTabs.find((one) => one === given.callTab) ?? usualState.callTab,
    systemTab: systemTabs.find((one) => one === given.systemTab) ?? usualState.systemTab,
    shares: [readShare(shares[0], usualState.shares[0]), readShare(shares[1], usualState.shares[1])],
    fullNames: given.fullNames === true,
  };
}

function perPane<Value>(of: (pane: PaneId) => Value): PerPane<Value> {
  return { metrics: of('metrics'), calls: of('calls'), system: of('system') };
}

function readTree(given: Readonly<Record<string, unknown>>): ValueTreeState {
  return { expanded: positions(given.expanded), sort: readSort(given.sort), layout: given.layout };
}

function readSort(value: unknown): SortOrder | undefined {
  const { column, direction } = asRecord(value);
  return typeof column === 'string' && (direction === 'ascending' || direction === 'descending')
    ? { column, direction }
    : undefined;
}

function positions(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[])
    .filter((one): one is number => typeof one === 'number' && Number.isSafeInteger(one) && one >= 0)
    .slice(0, mostKept);
}

function readShare(value: unknown, usual: number): number {
  return typeof value === 'number' && value >= 0.1 && value <= 0.9 ? value : usual;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
