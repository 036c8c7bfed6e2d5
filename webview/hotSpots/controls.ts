import type { HotSpotsOpened } from '../../src/protocol/hotSpots';
import { button, iconButton, type Button } from '../ui/controls/button';
import { element, type Control } from '../ui/base/dom';
import { dropdown, type Choice, type Dropdown } from '../ui/controls/dropdown';
import { menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { searchBox, type SearchBox, type SearchQuery } from '../ui/search/searchBox';
import { toolbar } from '../ui/controls/toolbar';
import { units, type Unit } from './data/columns';
import type { ShownFunctions, TabId } from './viewState';

export interface ControlEvents {
  readonly onMetric: (name: string) => void;
  readonly onUnit: (unit: Unit) => void;
  /** Undefined: another one than those of the list. */
  readonly onCompare: (experiment: number | undefined) => void;
  readonly onQuery: (query: SearchQuery) => void;
  readonly onStep: (direction: 1 | -1) => void;
  readonly onLeaveSearch: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onHotPath: () => void;
  readonly onExpandAll: () => void;
  readonly onCollapseAll: () => void;
  readonly onFullNames: () => void;
  readonly onThreads: () => void;
  readonly onSpread: (anchor: Element) => void;
  readonly onColumns: (anchor: Element) => void;
  readonly onZoomOut: () => void;
  readonly onZoomReset: () => void;
  readonly onSave: (kind: 'csv' | 'json' | 'speedscope' | 'png') => void;
}

/** Choice of what to compare with that opens another one. */
const other = 'other';

const unitLabels: Readonly<Record<Unit, string>> = { auto: 'Automatic', s: 's', ms: 'ms', percent: '%' };

/** The bar above the tables. */
export class Controls implements Control {
  readonly element: HTMLElement;
  readonly search: SearchBox;
  private readonly metric: Dropdown<string>;
  private readonly unit: Dropdown<Unit>;
  private readonly compare: Dropdown<string>;
  private readonly fullNames: Button;
  private readonly threads: Button;
  private readonly undo: Button;
  private readonly redo: Button;
  private readonly treeOnly: readonly [Button, Button, Button];
  private readonly tableOnly: readonly Button[];
  private readonly spread: Button;
  private readonly flameOnly: readonly Button[];
  private hasSpread = false;
  private compared = '-1';

  constructor(events: ControlEvents) {
    this.metric = dropdown({
      label: 'Metric',
      hideLabel: true,
      onChange: events.onMetric,
    });
    this.unit = dropdown<Unit>({
      label: 'Unit',
      hideLabel: true,
      choices: units.map((value) => ({ value, label: unitLabels[value] })),
      value: 'auto',
      onChange: events.onUnit,
    });
    this.compare = dropdown({
      label: 'Compare with',
      onChange: (value) => {
        if (value !== other) events.onCompare(Number(value));
        else {
          // Nothing may be chosen.
          this.compare.setValue(this.compared);
          events.onCompare(undefined);
        }
      },
    });
    this.search = searchBox({
      label: 'Search functions',
      onQuery: events.onQuery,
      onStep: events.onStep,
      onLeave: events.onLeaveSearch,
    });
    this.undo = iconButton('undo', 'Undo', events.onUndo);
    this.redo = iconButton('redo', 'Redo', events.onRedo);
    const hotPath = button({
      label: 'Hot Path',
      icon: 'hotPath',
      tooltip: 'Expand the call path with the most time, and go to its end',
      onClick: events.onHotPath,
    });
    const expand = iconButton('expandAll', 'Expand All', events.onExpandAll);
    const collapse = iconButton('collapseAll', 'Collapse All', events.onCollapseAll);
    const columns = iconButton('columns', 'Columns', () => events.onColumns(columns.element));
    this.spread = iconButton('spread', 'Spread over Processes', () => events.onSpread(this.spread.element));
    this.fullNames = iconButton('source', 'Full C++ Names', events.onFullNames);
    this.threads = iconButton('chart', 'Distribution over Threads', events.onThreads);
    const out = iconButton('zoomOut', 'Zoom Out (Backspace)', events.onZoomOut);
    const reset = iconButton('zoomReset', 'Show Everything (Escape)', events.onZoomReset);
    const save = iconButton('save', 'Save As…', () => {
      const kinds = {
        csv: 'CSV Table',
        json: 'JSON',
        speedscope: 'speedscope',
        png: 'Flame Graph as PNG',
      } as const;
      openMenu(
        'Save As',
        (['csv', 'json', 'speedscope', 'png'] as const).map((kind) => ({
          label: kinds[kind],
          run: () => events.onSave(kind),
        })),
        menuPlaceBelow(save.element),
      );
    });
    this.treeOnly = [hotPath, expand, collapse];
    this.tableOnly = [columns, this.spread];
    this.flameOnly = [out, reset];
    const tools = toolbar(
      'Profile',
      this.undo,
      this.redo,
      hotPath,
      expand,
      collapse,
      out,
      reset,
      this.fullNames,
      this.threads,
      this.spread,
      columns,
      save,
    );
    this.element = element(
      'div',
      { class: 'controls row' },
      this.search.element,
      tools.element,
      element('span', { class: 'controls-gap' }),
      this.metric.element,
      this.unit.element,
      this.compare.element,
    );
  }

  /** Sets the choices for an opened profile. */
  setOpened(opened: HotSpotsOpened, metric: string, unit: Unit): void {
    const metrics = opened.main.metrics.map(({ name, displayName }) => ({ value: name, label: displayName }));
    this.metric.setChoices(metrics, metric);
    this.metric.element.hidden = metrics.length < 2;
    this.unit.setValue(unit);
    const profiles: Choice<string>[] = opened.comparable.map(({ label, detail }, index) => ({
      value: String(index),
      label: `${label} (${detail})`,
    }));
    this.compared = String(opened.compared);
    this.compare.setChoices(
      [{ value: '-1', label: 'nothing' }, ...profiles, { value: other, label: 'Another Measurement…' }],
      this.compared,
    );
    this.hasSpread = opened.main.locations.length > 1;
  }

  /**
   * Buttons stay where they are: those that the view has no use for say so.
   * @param show what the table of functions shows
   */
  setTab(tab: TabId, show: ShownFunctions): void {
    const isTable = tab === 'tree' || tab === 'functions';
    const hasBranches = tab === 'tree' || (tab === 'functions' && show === 'groups');
    const forOthers = 'This is for other views of the profile.';
    const use = (control: Button, isUsed: boolean): void =>
      control.setDisabled(isUsed ? undefined : forOthers);
    use(this.treeOnly[0], tab === 'tree' || tab === 'flame');
    use(this.treeOnly[1], hasBranches);
    use(this.treeOnly[2], isTable);
    for (const control of this.flameOnly) use(control, tab === 'flame');
    for (const control of this.tableOnly) use(control, isTable);
    this.spread.element.hidden = !this.hasSpread;
  }

  /** @param undoes what can be undone, and done again; undefined: nothing */
  setHistory(undoes: string | undefined, redoes: string | undefined): void {
    this.undo.setTooltip(`Undo ${undoes ?? ''} (Ctrl+Z)`);
    this.undo.setDisabled(undoes === undefined ? 'There is nothing to undo.' : undefined);
    this.redo.setTooltip(`Redo ${redoes ?? ''} (Ctrl+Y)`);
    this.redo.setDisabled(redoes === undefined ? 'There is nothing to redo.' : undefined);
  }

  /** Moves the focus to the button to undo or redo. */
  focusHistory(which: 'undo' | 'redo'): void {
    this[which].focus();
  }

  setPressed(fullNames: boolean, threads: boolean): void {
    this.fullNames.setPressed(fullNames);
    this.threads.setPressed(threads);
  }
}
