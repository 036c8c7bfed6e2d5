import { present } from '../../src/core/present';
import { maximumSelected } from '../../src/protocol/cube';
import { errorText, isCancelled, isFindKey } from '../ui/page/shell';
import { element, type Control } from '../ui/base/dom';
import { splitter } from '../ui/controls/splitter';
import { CallPane } from './callPane';
import { loadTopology, type CubeChannel } from './load';
import { MetricPane } from './metricPane';
import { MetricStore } from './metricStore';
import type { CubeModel } from './model';
import { SystemPane } from './systemPane';
import { TopBar } from './topBar';
import type { ValueTree, ValueTreeState } from './valueTree';
import { mostKept, type PaneId, paneIds, perPane, type ViewState } from './viewState';

export interface CubeViewHost {
  readonly channel: CubeChannel;
  /** Called after the state has changed; the argument computes the state when it is saved. */
  readonly onState: (state: () => ViewState) => void;
  readonly onError: (error: unknown) => void;
}

/** The view sends no requests while the selection moves faster than this (arrow keys held down). */
const restMilliseconds = 60;
/** Patience for requests with a dialog, which the user may leave open. */
const dialogPatience = { patienceMilliseconds: 3_600_000 };

/**
 * Three coupled trees, as in the Cube GUI: the selected metric is shown over the call paths, the selected call paths over the system.
 * Collapsed nodes show inclusive, expanded ones exclusive values.
 */
export class CubeView implements Control {
  readonly element: HTMLElement;
  private readonly metrics: MetricPane;
  private readonly calls: CallPane;
  private readonly system: SystemPane;
  private readonly store: MetricStore;
  private readonly top: TopBar;
  private readonly isSame: boolean;
  private focused: PaneId = 'calls';
  /** Counts the questions, so that late answers to earlier ones are ignored. */
  private turn = 0;
  private asking = new AbortController();
  private readonly closing = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStarted = false;

  constructor(
    private readonly model: CubeModel,
    private state: ViewState,
    private readonly host: CubeViewHost,
  ) {
    this.isSame = state.id === model.header.id;
    this.store = new MetricStore(host.channel, model);
    const onState = (): void => this.keep({});
    const started = this.isSame ? state : { ...state, trees: withoutNodes(state.trees), selected: [] };
    this.metrics = new MetricPane(model, started, { onState, onMetric: () => void this.showMetric() });
    this.calls = new CallPane(model, started, {
      onState,
      onSelection: () => this.askLocations(),
      onOpenSource: (region) => this.openSource(region),
      onTab: (callTab) => this.keep({ callTab }),
    });
    this.system = new SystemPane(model, started, {
      onState,
      onTab: (systemTab) => this.keep({ systemTab }),
      loadTopology: (topology) => loadTopology(host.channel, model.header, topology, this.closing.signal),
      onTopology: (topology) => this.keep({ topology }),
    });
    this.top = new TopBar(model.header, state.fullNames, {
      onFullNames: (fullNames) => {
        this.calls.setFullNames(fullNames);
        this.keep({ fullNames });
      },
      onAct: (action) => void host.channel.request('act', { action }, dialogPatience).catch(host.onError),
      onSave: (kind) => void this.save(kind),
    });
    this.element = element('div', { class: 'cube fill' }, this.top.element, this.panes());
    this.element.addEventListener('focusin', (event) => this.noteFocus(event.target));
  }

  /** Starts the view once its element is in the page. */
  start(): void {
    this.metrics.start();
    this.calls.start(this.isSame);
    this.system.start(this.isSame);
    this.isStarted = true;
    void this.showMetric().then(() =>
      this.store.totals((metric, total) => {
        this.metrics.setTotal(metric, total);
        this.showReferences();
      }),
    );
    this.keep({});
  }

  focus(): void {
    this.calls.focus();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asking.abort();
    this.closing.abort();
    this.store.dispose();
  }

  /** Handles keys that work with any focus; true: handled. */
  onKey(event: KeyboardEvent): boolean {
    const pane = this[this.focused];
    if (isFindKey(event)) pane.frame.box.focus();
    else if (event.key === 'F3') pane.frame.step(event.shiftKey ? -1 : 1);
    else if (event.altKey && event.code === 'KeyH') this.calls.hotPath();
    else return false;
    return true;
  }

  private panes(): HTMLElement {
    const { shares } = this.state;
    const right = splitter({
      label: 'Width of the call paths',
      first: this.calls.frame.element,
      second: this.system.frame.element,
      direction: 'columns',
      share: shares[1],
      onShare: (share) => this.keep({ shares: [this.state.shares[0], share] }),
    });
    return splitter({
      label: 'Width of the metrics',
      first: this.metrics.frame.element,
      second: right.element,
      direction: 'columns',
      share: shares[0],
      onShare: (share) => this.keep({ shares: [share, this.state.shares[1]] }),
    }).element;
  }

  private noteFocus(target: EventTarget | null): void {
    for (const pane of paneIds)
      if (target instanceof Node && this[pane].frame.element.contains(target)) this.focused = pane;
  }

  private async showMetric(): Promise<void> {
    const turn = ++this.turn;
    const metric = this.metrics.selected;
    const described = this.model.metrics[metric];
    if (described === undefined || described.expression !== undefined) {
      this.calls.frame.setNote(
        described === undefined
          ? 'The profile has no metrics.'
          : `“${described.displayName}” is derived from other metrics, by an expression that is not computed here: ${described.expression}`,
      );
      return;
    }
    this.calls.frame.setBusy(true);
    try {
      const values = await this.store.of(metric, this.metrics.isOwn);
      if (turn !== this.turn) return;
      this.calls.frame.setNote(undefined);
      this.calls.show({ metric, values, references: this.references });
      this.askLocations();
    } catch (error) {
      if (turn === this.turn) this.fail('calls', error);
    } finally {
      if (turn === this.turn) this.calls.frame.setBusy(false);
    }
  }

  private get references() {
    return { ...this.metrics.wholes, ...this.calls.wholes };
  }

  /** Updates the percentages after totals have arrived. */
  private showReferences(): void {
    const metric = this.metrics.selected;
    void this.store.of(metric, this.metrics.isOwn).then(
      (values) => {
        if (metric !== this.metrics.selected) return;
        this.calls.show({ metric, values, references: this.references });
        this.system.setReferences(this.references);
      },
      () => undefined,
    );
  }

  private askLocations(): void {
    if (!this.isStarted) return;
    clearTimeout(this.timer);
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.timer = setTimeout(() => void this.showLocations(signal), restMilliseconds);
  }

  private async showLocations(signal: AbortSignal): Promise<void> {
    const { model, metrics, calls, system } = this;
    const metric = model.metrics[metrics.selected];
    const { callPaths, exclusive } = calls.asked;
    if (metric?.expression !== undefined || metric === undefined || callPaths.length === 0) {
      system.frame.setNote(undefined);
      system.show(undefined, metric, this.references);
      return;
    }
    const parts = metrics.isOwn ? model.partsOf(metrics.selected) : [];
    system.frame.setBusy(true);
    try {
      const { values } = await this.host.channel.request(
        'locations',
        {
          id: model.header.id,
          metric: metric.position,
          minus: Uint32Array.from(parts, (row) => model.metrics[row]?.position ?? 0),
          callPaths: Uint32Array.from(callPaths.slice(0, maximumSelected)),
          exclusive: Uint8Array.from(exclusive.slice(0, maximumSelected), (own) => (own ? 1 : 0)),
        },
        { signal, patienceMilliseconds: 300_000 },
      );
      const cut = callPaths.length > maximumSelected ? ` (the first ${maximumSelected} call paths)` : '';
      system.frame.setNote(`${metric.displayName} · ${calls.title}${cut}`);
      system.show(values, metric, this.references);
    } catch (error) {
      if (!isCancelled(error)) this.fail('system', error);
    } finally {
      if (!signal.aborted) system.frame.setBusy(false);
    }
  }

  private openSource(region: number): void {
    this.host.channel
      .request('openSource', { id: this.model.header.id, region }, dialogPatience)
      .catch(this.host.onError);
  }

  private async save(kind: 'csv' | 'json' | 'speedscope' | 'png'): Promise<void> {
    try {
      if (kind !== 'png') await this.host.channel.request('save', { kind }, dialogPatience);
      else {
        const content = await this.calls.picture();
        if (content !== undefined) await this.host.channel.request('save', { kind, content }, dialogPatience);
      }
    } catch (error) {
      this.host.onError(error);
    }
  }

  private fail(pane: 'calls' | 'system', error: unknown): void {
    this[pane].frame.setNote(errorText(error), true);
  }

  private keep(changes: Partial<ViewState>): void {
    this.state = { ...this.state, ...changes };
    if (this.isStarted) this.host.onState(() => this.stateToSave);
  }

  /** What the user is looking at. Computing it takes long for large trees. */
  private get stateToSave(): ViewState {
    const { metrics, calls } = this;
    const tree = ({ state }: ValueTree): ValueTreeState =>
      state.expanded.length > mostKept ? { ...state, expanded: [] } : state;
    const { name } = this.model.metrics[metrics.selected] ?? {};
    return {
      ...this.state,
      id: this.model.header.id,
      ...present({ metric: name }),
      modes: perPane((pane) => this[pane].frame.mode),
      trees: perPane((pane) => tree(this[pane].tree)),
      collapsed: perPane((pane) => this[pane].frame.isCollapsed),
      selected: calls.selected.slice(0, mostKept),
    };
  }
}

/** The state of the trees for another profile, where numbers of nodes are invalid but order and columns apply. */
function withoutNodes(trees: ViewState['trees']): ViewState['trees'] {
  return perPane((pane) => ({ ...trees[pane], expanded: [] }));
}
