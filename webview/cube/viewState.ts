import { valueModes, type ValueMode } from '../../src/core/views/valueModes';
import { present } from '../../src/core/present';
import { KeptFields, shareOr } from '../ui/page/keptState';
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
  /** Id of the file's content, to which the numbers of nodes below belong. */
  readonly id?: string;
  /** Unique name of the selected metric. */
  readonly metric?: string;
  readonly modes: PerPane<ValueMode>;
  readonly trees: PerPane<ValueTreeState>;
  readonly collapsed: PerPane<boolean>;
  readonly selected: readonly number[];
  readonly callTab: CallTab;
  readonly systemTab: SystemTab;
  /** Share of the metrics in the width, and of the call paths in the rest. */
  readonly shares: readonly [number, number];
  readonly fullNames: boolean;
}

/** No state has more nodes. */
export const mostKept = 5000;

export function readViewState(value: unknown): ViewState {
  const kept = new KeptFields(value);
  const [modes, trees, collapsed] = [kept.within('modes'), kept.within('trees'), kept.within('collapsed')];
  const [metrics, calls] = kept.list('shares');
  return {
    ...present({ id: kept.text('id'), metric: kept.text('metric') }),
    modes: perPane((pane) => modes.choice(pane, valueModes, 'absolute')),
    trees: perPane((pane) => readTree(trees, pane)),
    collapsed: perPane((pane) => collapsed.flag(pane)),
    selected: kept.positions('selected', mostKept),
    callTab: kept.choice('callTab', callTabs, 'tree'),
    systemTab: kept.choice('systemTab', systemTabs, 'tree'),
    shares: [shareOr(metrics, 0.24), shareOr(calls, 0.6)],
    fullNames: kept.flag('fullNames'),
  };
}

function perPane<Value>(of: (pane: PaneId) => Value): PerPane<Value> {
  return { metrics: of('metrics'), calls: of('calls'), system: of('system') };
}

/** Call paths begin with the largest; the other trees in the order of the file. */
function readTree(trees: KeptFields, pane: PaneId): ValueTreeState {
  const isNew = trees.value(pane) === undefined;
  const kept = trees.within(pane);
  return {
    expanded: kept.positions('expanded', mostKept),
    sort: isNew && pane === 'calls' ? { column: 'value', direction: 'descending' } : kept.sort('sort'),
    layout: kept.value('layout'),
  };
}

export const usualState = readViewState(undefined);
