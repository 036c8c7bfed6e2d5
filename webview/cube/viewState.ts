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
import type { ValueTreeState } from './valueTree';

export const paneIds = ['metrics', 'calls', 'system'] as const;
export type PaneId = (typeof paneIds)[number];

export const callTabs = ['tree', 'flat', 'flame'] as const;
export type CallTab = (typeof callTabs)[number];
export const systemTabs = ['tree', 'statistics'] as const;
export type SystemTab = (typeof systemTabs)[number];

/** Maximum number of nodes that are saved. */
export const mostKept = 5000;

export function perPane<Value>(of: (pane: PaneId) => Value): Readonly<Record<PaneId, Value>> {
  return { metrics: of('metrics'), calls: of('calls'), system: of('system') };
}

const readTree = record({ expanded: positions(mostKept), sort: sort(), layout: anything });

/** Call paths begin with the largest; the other trees in the order of the file. */
function tree(pane: PaneId): (value: unknown) => ValueTreeState {
  const usual = pane === 'calls' ? ({ column: 'value', direction: 'descending' } as const) : undefined;
  return (value) => {
    const { expanded, sort: savedSort, layout } = readTree(value);
    return { expanded, sort: value === undefined ? usual : savedSort, layout };
  };
}

const [metricsShare, callsShare] = [share(0.24), share(0.6)];

/** What the user is looking at; VS Code saves it over reloads, and it is checked when it is read. */
const fields = {
  /** Id of the file's content, to which the numbers of nodes below belong. */
  id: text(),
  /** Unique name of the selected metric. */
  metric: text(),
  modes: record(perPane(() => choice(valueModes, 'absolute'))),
  trees: record(perPane(tree)),
  collapsed: record(perPane(() => flag)),
  selected: positions(mostKept),
  callTab: choice(callTabs, 'tree'),
  systemTab: choice(systemTabs, 'tree'),
  /** Share of the metrics in the width, and of the call paths in the rest. */
  shares: (value: unknown): readonly [number, number] => {
    const [metrics, calls] = listOf(value);
    return [metricsShare(metrics), callsShare(calls)];
  },
  fullNames: flag,
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
export const usualState = readViewState(undefined);
