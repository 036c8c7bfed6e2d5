import { at } from '../../../src/core/at';
import type { Activity } from '../../../src/core/diagnosis/search/searchRecord';
import { csvText } from '../../../src/core/csv';
import { drawnExperiments, type DiagnosisLayout } from '../../../src/core/views/diagnosis/diagnosisPieces';
import { GraphPlot } from '../../charts/graph/graphPlot';
import { type Control, element } from '../../ui/base/dom';
import { button } from '../../ui/controls/button';
import type { MenuPlace } from '../../ui/controls/menu';
import { rowsTable } from '../../ui/grid/rowsTable';
import { isCancelled, Newest } from '../../ui/page/shell';
import type { SearchRow } from '../searchRows';
import { badgesOf } from '../searchTree';
import type { ShownRows } from '../shownRows';
import { rowSentence, truthWords } from '../words';
import { graphBoxes, placedSearch, type GraphBoxes, type PlacedSearch } from './graphBoxes';
import { drawSearch, type BoxFacts } from './searchDrawing';

interface GraphActions {
  readonly layout: (count: number, edges: Uint32Array, signal: AbortSignal) => Promise<DiagnosisLayout>;
  readonly onError: (error: unknown) => void;
  readonly onSelect: (row: number) => void;
  /** Opens what is below a row, or closes it. */
  readonly onToggle: (row: number) => void;
  readonly onActivate: (row: number) => void;
  readonly onMenu: (row: number, place: MenuPlace) => void;
  readonly onSave: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  /** What helps where there are too many boxes. */
  readonly alternatives: readonly { readonly label: string; readonly run: () => void }[];
}

/** The open rows of the search as a graph, from the whole program on the left to what is most precise. */
export class SearchGraph implements Control {
  readonly element: HTMLElement;
  private readonly picture: GraphPlot;
  private readonly area: HTMLElement;
  private readonly reason = element('p');
  private readonly refusal: HTMLElement;
  private readonly placing = new Newest();
  private rows: ShownRows | undefined;
  private graph: PlacedSearch | undefined;
  private run = '';
  private selected: number | undefined;
  private isDue = false;
  private isShown = false;

  constructor(private readonly actions: GraphActions) {
    this.picture = new GraphPlot({
      label: 'Search graph',
      keys: 'Arrows choose an experiment, Enter goes to its source, the space bar expands or collapses a node, Shift+F10 opens a menu, plus and minus zoom, Escape shows everything.',
      draw: (surface, colors, seen) => {
        const { graph } = this;
        if (graph === undefined) return;
        const selected = graph.rows.indexOf(this.selected ?? -2);
        drawSearch(surface, colors, { graph, ...seen, selected, facts: (box) => this.facts(box) });
      },
      words: (box) => this.words(box),
      table: this.table(),
      csv: () => csvText([['experiment', 'result', 'value', 'holds', 'below'], ...this.cells()]),
      onSave: actions.onSave,
      onChoose: (box) => this.choose(box),
      onMove: (box) => this.withRow(box, actions.onSelect),
      onMenu: (box, place) => this.withRow(box, (row) => actions.onMenu(row, place)),
      onKey: (key, box) => {
        if (box === undefined || (key !== 'Enter' && key !== ' ')) return false;
        this.withRow(box, key === ' ' ? actions.onToggle : actions.onActivate);
        return true;
      },
    });
    this.area = element('div', { class: 'search-graph fill' }, this.picture.element, legend());
    this.refusal = element(
      'div',
      { class: 'graph-refusal', role: 'status' },
      this.reason,
      element(
        'div',
        { class: 'row' },
        ...actions.alternatives.map(({ label, run }) => button({ label, onClick: run }).element),
      ),
    );
    this.refusal.hidden = true;
    this.element = element('div', { class: 'fill' }, this.refusal, this.area);
  }

  /** @param run what the first box names @param keeps whether the view stays where it is */
  show(rows: ShownRows, run: string, keeps: boolean): void {
    this.rows = rows;
    this.run = run;
    this.update(keeps);
  }

  /** Whether it is seen: a hidden graph asks for no places. */
  setShown(isShown: boolean): void {
    this.isShown = isShown;
    if (isShown && this.isDue) this.update(this.graph !== undefined);
  }

  /** Other rows are open, or the filter is another one. */
  update(keeps = true): void {
    const { rows } = this;
    this.isDue = !this.isShown;
    if (rows === undefined || !this.isShown) return;
    const boxes = graphBoxes(rows);
    const isTooMuch = boxes.rows.length > drawnExperiments + 1;
    this.refusal.hidden = !isTooMuch;
    this.area.hidden = isTooMuch;
    this.reason.textContent = `${boxes.rows.length - 1} experiments are open, and a graph of more than ${drawnExperiments} cannot be followed. The tree shows all of them.`;
    if (!isTooMuch) void this.place(boxes, keeps);
  }

  select(row: number | undefined): void {
    this.selected = row;
    this.picture.update();
  }

  private async place(boxes: GraphBoxes, keeps: boolean): Promise<void> {
    const signal = this.placing.next();
    try {
      const edges = Uint32Array.from(boxes.edges.flatMap(({ upper, lower }) => [upper, lower]));
      const layout = await this.actions.layout(boxes.rows.length, edges, signal);
      this.graph = placedSearch(boxes, layout);
      const cursor = this.picture.hasFocus ? boxes.rows.indexOf(this.selected ?? -2) : -1;
      this.picture.show(this.graph, keeps, cursor < 0 ? undefined : cursor);
    } catch (error) {
      if (!isCancelled(error)) this.actions.onError(error);
    }
  }

  /** A click selects; on what is selected, it opens or closes what is below. */
  private choose(box: number): void {
    this.withRow(box, (row) => {
      if (row === this.selected) this.actions.onToggle(row);
      else this.actions.onSelect(row);
    });
  }

  private withRow(box: number, act: (row: number) => void): void {
    const row = this.graph?.rows[box];
    if (row !== undefined && row >= 0) act(row);
  }

  private rowAt(box: number): SearchRow | undefined {
    const row = this.graph?.rows[box] ?? -1;
    return row < 0 ? undefined : this.rows?.row(row);
  }

  private facts(box: number): BoxFacts {
    const [row, shown] = [this.rowAt(box), this.rows];
    if (row === undefined || shown === undefined)
      return {
        ...{ label: 'The whole program', value: this.run, truth: undefined, sign: '', closed: 0 },
        ...{ isActive: false, isWaiting: false, badge: undefined, gauge: undefined },
      };
    const { label, truth = 'none', experiments, gauge } = row;
    const position = at(this.graph?.rows ?? [], box);
    const isAny = (isWanted: (activity: Activity) => boolean): boolean =>
      experiments.some(({ activity }) => isWanted(activity));
    return {
      label,
      value: valueWords(shown, row),
      truth: row.truth,
      sign: truthWords[truth].sign,
      isActive: isAny((activity) => activity === 'active'),
      isWaiting: isAny((activity) => activity !== 'active' && activity !== 'inactive'),
      gauge: gauge && gauge.part / gauge.whole,
      closed: shown.state(position) === 'closed' ? shown.childCount(position) : 0,
      badge: badgesOf(row)[0],
    };
  }

  private words(box: number | undefined): string {
    const row = box === undefined ? undefined : this.rowAt(box);
    if (row !== undefined && this.rows !== undefined) return rowSentence(this.rows.words, row);
    return 'Click an experiment to see its details, and once more to expand or collapse it; turn the wheel to zoom.';
  }

  private cells(): readonly (readonly string[])[] {
    const { graph, rows: shown } = this;
    if (graph === undefined || shown === undefined) return [];
    return graph.rows.slice(1).map((position) => {
      const row = shown.row(position);
      const parent = shown.parent(position);
      const [first] = row.experiments;
      return [
        row.label,
        truthWords[row.truth ?? 'none'].word,
        shown.words.value(row.experiments),
        first === undefined ? '' : shown.words.limit(first.hypothesis, first.threshold),
        parent < 0 ? '' : shown.row(parent).label,
      ];
    });
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'Search graph',
      columns: () => [
        { title: 'Experiment', width: 240 },
        { title: 'Result', width: 80 },
        { title: 'Value', number: true, width: 90 },
        { title: 'Holds', width: 110 },
        { title: 'Below', width: 200 },
      ],
      count: () => (this.graph?.rows.length ?? 1) - 1,
      cells: (row) => this.cells()[row] ?? [],
      onActivate: (row) => this.withRow(row + 1, this.actions.onActivate),
    });
  }
}

/** `45.0 % · above 30 %`, `3 of 4 · 44.0 % … 47.0 %` */
function valueWords({ words }: ShownRows, { experiments, gauge }: SearchRow): string {
  const [first] = experiments;
  const limit = first === undefined ? '' : words.limit(first.hypothesis, first.threshold);
  const share = gauge === undefined ? '' : `${gauge.part} of ${gauge.whole}`;
  return [share, words.value(experiments), gauge === undefined ? limit : '']
    .filter((text) => text !== '')
    .join(' · ');
}

/** What signs and lines mean. */
function legend(): HTMLElement {
  const entry = (...parts: readonly (Node | string)[]): HTMLElement => element('span', {}, ...parts);
  return element(
    'p',
    { class: 'graph-legend muted', label: 'Legend' },
    ...(['true', 'false', 'unknown'] as const).map((truth) =>
      entry(
        element('span', { class: `truth-${truth}`, text: truthWords[truth].sign }),
        ` ${truthWords[truth].word}`,
      ),
    ),
    entry(element('b', { text: 'bold' }), ' measured now'),
    entry('dashed box: waits to be measured'),
    entry('dashed line: a second way to an experiment'),
    entry('bar: share of the processes'),
    entry('+3: closed'),
  );
}
