import { at } from '../../../src/core/at';
import { csvText } from '../../../src/core/csv';
import type { GroupPicture, PicturedNode } from '../../../src/core/views/groupSummary';
import { countIn, type ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import { GraphPlot } from '../../charts/graph/graphPlot';
import { type Control, element } from '../../ui/base/dom';
import { button } from '../../ui/controls/button';
import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../../ui/controls/menu';
import { rowsTable } from '../../ui/grid/rowsTable';
import { drawGraph } from './graphDrawing';
import { drawnGraph, type DrawnGraph } from './graphModel';

interface GraphEvents {
  readonly onChoose: (processes: ProcessRanges) => void;
  readonly onSave: (name: string, format: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  /** Saves the whole graph. */
  readonly saveSvg: () => void;
  readonly moreFiles: readonly MenuItem[];
  /** What helps where the graph cannot be drawn. */
  readonly alternatives: readonly { readonly label: string; readonly run: () => void }[];
}

/** Of the processes of the panel: which are shown, and what they are called. */
export interface GraphProcesses {
  readonly count: number;
  readonly noun: string;
  readonly chosen: ProcessRanges | undefined;
}

/** What groups have in common: a box for what some processes call and others do not, below what more of them call. */
export class GroupGraphView implements Control {
  readonly element: HTMLElement;
  private readonly picture: GraphPlot;
  private readonly area: HTMLElement;
  private readonly reason = element('p');
  private readonly refusal: HTMLElement;
  private given: GroupPicture | undefined;
  private graph: DrawnGraph | undefined;
  private processes: GraphProcesses = { count: 0, noun: 'processes', chosen: undefined };

  constructor(private readonly events: GraphEvents) {
    this.picture = new GraphPlot({
      label: 'What groups have in common',
      keys: 'Arrows choose a box, Enter shows only its processes, Shift+F10 opens a menu, plus and minus zoom, Escape shows everything.',
      draw: (surface, colors, seen) => {
        const { graph } = this;
        if (graph === undefined) return;
        drawGraph(surface, colors, {
          graph,
          ...seen,
          isChosen: (node) => this.isChosen(at(graph.nodes, node).processes),
        });
      },
      table: this.table(),
      csv: () =>
        csvText([
          ['node', 'above', 'processes', 'what it is', 'calls', 'examples'],
          ...(this.graph?.nodes ?? []).map(({ above, processes, lines }, node) => [
            node + 1,
            above.map((upper) => upper + 1).join(' '),
            countIn(processes),
            ...[0, 1, 2].map((line) => lines[line] ?? ''),
          ]),
        ]),
      onSave: (format, content) => events.onSave('what groups have in common', format, content),
      saveSvg: events.saveSvg,
      moreFiles: events.moreFiles,
      words: (node) => this.words(node),
      onChoose: (node) => this.choose(this.nodeAt(node)?.processes ?? []),
      onMenu: (node, place) => {
        const shown = this.nodeAt(node);
        if (shown !== undefined) this.menu(shown, place);
      },
    });
    this.area = element('div', { class: 'group-picture fill' }, this.picture.element);
    this.refusal = element(
      'div',
      { class: 'group-refusal', role: 'status' },
      this.reason,
      element(
        'div',
        { class: 'row' },
        ...events.alternatives.map(({ label, run }) => button({ label, onClick: run }).element),
      ),
    );
    this.element = element('div', { class: 'fill' }, this.refusal, this.area);
  }

  show(graph: GroupPicture, processes: GraphProcesses): void {
    this.processes = processes;
    const isOther = graph !== this.given;
    this.given = graph;
    if (isOther) this.graph = 'reason' in graph ? undefined : drawnGraph(graph);
    this.reason.textContent = 'reason' in graph ? graph.reason : '';
    this.refusal.hidden = this.graph !== undefined;
    this.area.hidden = this.graph === undefined;
    if (isOther) this.picture.show(this.graph, false);
    else this.picture.update();
  }

  focus(): void {
    this.picture.focus();
  }

  private nodeAt(node: number): PicturedNode | undefined {
    return this.graph?.nodes[node];
  }

  private isChosen(processes: ProcessRanges): boolean {
    const { chosen } = this.processes;
    return chosen?.length === processes.length && processes.every((value, place) => value === chosen[place]);
  }

  private words(node: number | undefined): string {
    const shown = node === undefined ? undefined : this.nodeAt(node);
    if (shown !== undefined) return shown.lines.join('. ');
    return `${this.graph?.nodes.length ?? 0} boxes: what more ${this.processes.noun} call is above. Click a box to show only its ${this.processes.noun}; turn the wheel to zoom.`;
  }

  /** The processes of a box; of the chosen one, all. */
  private choose(processes: ProcessRanges): void {
    if (this.isChosen(processes)) this.events.onChoose([]);
    else if (processes.length > 0 && countIn(processes) < this.processes.count)
      this.events.onChoose(processes);
  }

  private menu({ lines, processes, all }: PicturedNode, place: MenuPlace): void {
    const { count, noun } = this.processes;
    const item = (label: string, own: ProcessRanges, keys?: string): MenuItem => ({
      label: this.isChosen(own) ? `Show All ${count} Again` : label,
      keys,
      ...(countIn(own) === count ? { disabled: `All ${noun} are in it.` } : {}),
      ...(own.length === 0 ? { disabled: `No ${noun} have all of it.` } : {}),
      run: () => this.choose(own),
    });
    const these = `Show Only These ${noun === 'threads' ? 'Threads' : 'Processes'}`;
    openMenu(
      lines[0] ?? '',
      [
        item(these, processes, 'Enter'),
        ...(all === undefined ? [] : [item(`Show These and Those Below (${countIn(all)})`, all)]),
        copyItem('Copy Text', lines.join('\n')),
      ],
      place,
    );
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'What groups have in common',
      columns: () => [
        { title: 'Node', number: true, width: 60 },
        { title: 'Below', width: 80 },
        { title: 'Processes', number: true, width: 80 },
        { title: 'What it is', width: 240 },
        { title: 'Calls', width: 260 },
        { title: 'Examples', width: 320 },
      ],
      count: () => this.graph?.nodes.length ?? 0,
      cells: (row) => {
        const node = this.graph?.nodes[row];
        if (node === undefined) return [];
        return [
          String(row + 1),
          node.above.map((upper) => String(upper + 1)).join(', '),
          String(countIn(node.processes)),
          ...[0, 1, 2].map((line) => node.lines[line] ?? ''),
        ];
      },
      onActivate: (row) => {
        const node = this.graph?.nodes[row];
        if (node !== undefined) this.choose(node.processes);
      },
    });
  }
}
