import { valueModes } from '../../src/core/views/valueModes';
import {
  anything,
  choice,
  flag,
  type Saved,
  listOf,
  positions,
  record,
  share,
  sort,
  text,
} from '../ui/page/savedState';
import { topologyState } from './topology/state';
import type { ValueTreeState } from './valueTree';

export const paneIds = ['metrics', 'calls', 'system'] as const;
export type PaneId = (typeof paneIds)[number];

export const callTabs = ['tree', 'flat', 'flame'] as const;
export type CallTab = (typeof callTabs)[number];
export const systemTabs = ['tree', 'statistics', 'topology'] as const;
export type SystemTab = (typeof systemTabs)[number];

/** Maximum number of nodes that are saved. */
export const mostKept = 5000;

export function perPane<Value>(of: (pane: PaneId) => Value): Readonly<Record<PaneId, Value>> {
  return { metrics: of('metrics'), calls: of('calls'), system: of('system') };
}

const readTree = record({ expanded: positions(mostKept), sort: sort(), layout: anything });

/** Call paths are sorted by value at first, the other trees as in the file. */
function tree(pane: PaneId): (value: unknown) => ValueTreeState {
  const usual = pane === 'calls' ? ({ column: 'value', direction: 'descending' } as const) : undefined;
  return (value) => {
    const { expanded, sort: savedSort, layout } = readTree(value);
    return { expanded, sort: value === undefined ? usual : savedSort, layout };
  };
}

const [metricsShare, callsShare] = [share(0.24), share(0.6)];

/** The view's state; VS Code saves it over reloads, and the view checks it when it reads it. */
const fields = {
  /** Id of the file's content, to which the node numbers below belong. */
  id: text(),
  /** Unique name of the selected metric. */
  metric: text(),
  modes: record(perPane(() => choice(valueModes, 'absolute'))),
  trees: record(perPane(tree)),
  collapsed: record(perPane(() => flag)),
  selected: positions(mostKept),
  callTab: choice(callTabs, 'tree'),
  systemTab: choice(systemTabs, 'tree'),
  topology: topologyState,
  /** Width shares of the metric pane, and of the call pane in the rest. */
  shares: (value: unknown): readonly [number, number] => {
    const [metrics, calls] = listOf(value);
    return [metricsShare(metrics), callsShare(calls)];
  },
  fullNames: flag,
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
export const usualState = readViewState(undefined);
