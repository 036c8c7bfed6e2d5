import { at } from '../../../src/core/at';
import { csvText } from '../../../src/core/csv';
import type { GroupPicture, PicturedNode } from '../../../src/core/views/groupSummary';
import { countIn, type ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import { plot, type Plot } from '../../charts/plot';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { button } from '../../ui/controls/button';
import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../../ui/controls/menu';
import { rowsTable } from '../../ui/grid/rowsTable';
import { drawGraph } from './graphDrawing';
import {
  boxOf,
  firstView,
  nextNode,
  nodeAt,
  wholeGraph,
  zoomedGraph,
  type DrawnGraph,
  type GraphView,
} from './graphModel';

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
  private readonly picture: Plot;
  private readonly area: HTMLElement;
  private readonly reason = element('p');
  private readonly refusal: HTMLElement;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private graph: DrawnGraph | undefined;
  private processes: GraphProcesses = { count: 0, noun: 'processes', chosen: undefined };
  /** Undefined: nobody has zoomed or moved it. */
  private view: GraphView | undefined;
  private cursor: number | undefined;

  constructor(private readonly events: GraphEvents) {
    this.picture = plot({
      label: 'What groups have in common',
      keys: 'Arrows choose a box, Enter shows only its processes, Shift+F10 opens a menu, plus and minus zoom, Escape shows everything.',
      draw: (surface, colors) => {
        const { graph, cursor } = this;
        if (graph === undefined) return;
        const view = this.view ?? firstView(graph, surface.width, surface.height);
        drawGraph(surface, colors, {
          graph,
          view,
          cursor,
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
      onKey: (event) => this.onKey(event),
    });
    this.followPointer();
    this.area = element('div', { class: 'group-picture fill' }, this.picture.element, this.readOut);
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
    const drawn = 'reason' in graph ? undefined : graph;
    if (drawn !== this.graph) [this.view, this.cursor] = [undefined, undefined];
    this.graph = drawn;
    this.reason.textContent = 'reason' in graph ? graph.reason : '';
    this.refusal.hidden = drawn !== undefined;
    this.area.hidden = drawn === undefined;
    this.showCursor();
    this.picture.renew();
  }

  focus(): void {
    this.picture.canvas.focus();
  }

  private get size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.picture.canvas;
    return { width: clientWidth, height: clientHeight };
  }

  private now(graph: DrawnGraph): GraphView {
    return this.view ?? firstView(graph, this.size.width, this.size.height);
  }

  private isChosen(processes: ProcessRanges): boolean {
    const { chosen } = this.processes;
    return chosen?.length === processes.length && processes.every((value, place) => value === chosen[place]);
  }

  private words(): string {
    const { graph, cursor } = this;
    if (graph === undefined) return '';
    if (cursor !== undefined) return at(graph.nodes, cursor).lines.join('. ');
    return `${graph.nodes.length} boxes: what more ${this.processes.noun} call is above. Click a box to show only its ${this.processes.noun}; turn the wheel to zoom.`;
  }

  private setCursor(node: number | undefined): void {
    if (node === this.cursor) return;
    this.cursor = node;
    this.showCursor();
  }

  private showCursor(): void {
    const words = this.words();
    this.readOut.textContent = words;
    this.readOut.title = words;
    this.picture.update();
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

  private onKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { graph, cursor } = this;
    if (graph === undefined) return false;
    const node = cursor === undefined ? undefined : at(graph.nodes, cursor);
    if (node !== undefined && cursor !== undefined) {
      if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
        const { left, top } = this.picture.canvas.getBoundingClientRect();
        const box = boxOf(graph, cursor, this.now(graph));
        this.menu(node, { x: left + box.x + 12, y: top + box.y + box.height });
        return true;
      }
      if (key === 'Enter' || key === ' ') {
        this.choose(node.processes);
        return true;
      }
    }
    return this.zoomBy(graph, key) || this.moveBy(graph, key);
  }

  private zoomBy(graph: DrawnGraph, key: string): boolean {
    const factor = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 }[key];
    if (factor === undefined && key !== 'Escape') return false;
    const { width, height } = this.size;
    const box = this.cursor === undefined ? undefined : boxOf(graph, this.cursor, this.now(graph));
    const place =
      box === undefined
        ? { x: width / 2, y: height / 2 }
        : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.zoom(graph, factor, place);
    return true;
  }

  private moveBy(graph: DrawnGraph, key: string): boolean {
    if (!key.startsWith('Arrow')) return false;
    const next = nextNode(graph, this.cursor, key);
    if (next === undefined) return false;
    this.setCursor(next);
    this.reveal(graph, next);
    announce(this.words());
    return true;
  }

  /** Moves the picture so that a box is in it. */
  private reveal(graph: DrawnGraph, node: number): void {
    const view = this.now(graph);
    const { width, height } = this.size;
    const box = boxOf(graph, node, view);
    const into = (from: number, length: number, room: number): number =>
      from < 0 ? 8 - from : Math.min(0, room - 8 - from - length);
    const right = into(box.x, box.width, width);
    const down = into(box.y, box.height, height);
    if (right !== 0 || down !== 0) this.view = { ...view, x: view.x + right, y: view.y + down };
    this.picture.update();
  }

  /** @param factor undefined: the whole graph */
  private zoom(
    graph: DrawnGraph,
    factor: number | undefined,
    place: { readonly x: number; readonly y: number },
  ): void {
    const whole = wholeGraph(graph, this.size.width, this.size.height);
    const next = factor === undefined ? whole : zoomedGraph(this.now(graph), factor, place, whole.scale);
    this.view = next.scale <= whole.scale ? whole : next;
    this.picture.update();
  }

  private followPointer(): void {
    const { canvas } = this.picture;
    let held: { readonly view: GraphView; readonly x: number; readonly y: number } | undefined;
    let isMoved = false;
    const placeOf = ({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } => {
      const { left, top } = canvas.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const under = (event: MouseEvent): number | undefined => {
      const { x, y } = placeOf(event);
      return this.graph === undefined ? undefined : nodeAt(this.graph, this.now(this.graph), x, y);
    };
    canvas.addEventListener('pointerdown', (event) => {
      isMoved = false;
      if (event.button !== 0 || this.graph === undefined) return;
      held = { view: this.now(this.graph), ...placeOf(event) };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      const { x, y } = placeOf(event);
      if (held !== undefined && (isMoved || Math.hypot(x - held.x, y - held.y) > 4)) {
        isMoved = true;
        const { view } = held;
        this.view = { ...view, x: view.x + x - held.x, y: view.y + y - held.y };
        canvas.style.cursor = 'grabbing';
        this.picture.update();
        return;
      }
      const node = under(event);
      canvas.style.cursor = node === undefined ? 'grab' : 'pointer';
      this.setCursor(node);
    });
    canvas.addEventListener('pointerup', () => (held = undefined));
    canvas.addEventListener('pointercancel', () => (held = undefined));
    canvas.addEventListener('pointerleave', () => this.setCursor(undefined));
    canvas.addEventListener('click', (event) => {
      const node = isMoved ? undefined : under(event);
      if (node !== undefined && this.graph !== undefined) this.choose(at(this.graph.nodes, node).processes);
    });
    canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const node = under(event);
      if (node !== undefined && this.graph !== undefined)
        this.menu(at(this.graph.nodes, node), { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (this.graph === undefined || event.deltaY === 0) return;
        event.preventDefault();
        this.zoom(this.graph, event.deltaY < 0 ? 1.25 : 0.8, placeOf(event));
      },
      { passive: false },
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
