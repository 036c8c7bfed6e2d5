import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import type { MenuPlace } from '../../ui/controls/menu';
import { plot, type Plot, type PlotOptions } from '../plot';
import type { PlotColors } from '../plotColors';
import type { Surface } from '../surface';
import {
  boxOf,
  firstView,
  nextNode,
  nodeAt,
  wholeGraph,
  zoomedGraph,
  type GraphView,
  type PlacedGraph,
} from './placedGraph';

type Node = number | undefined;

export interface GraphPlotOptions extends Pick<
  PlotOptions,
  'label' | 'keys' | 'table' | 'csv' | 'onSave' | 'saveSvg' | 'moreFiles'
> {
  readonly draw: (
    surface: Surface,
    colors: PlotColors,
    seen: { readonly view: GraphView; readonly cursor: Node },
  ) => void;
  /** About the node under the cursor, else about the whole picture. */
  readonly words: (node: Node) => string;
  /** Called on a click, Enter or the space bar. */
  readonly onChoose: (node: number) => void;
  readonly onMenu: (node: number, place: MenuPlace) => void;
  /** Arrow keys have moved the cursor. */
  readonly onMove?: (node: number) => void;
  /** Handles a key before the picture does. */
  readonly onKey?: (key: string, node: Node) => boolean;
}

/** A graph of boxes to look at: the wheel, plus and minus zoom, the pointer moves it, arrow keys walk over the boxes. */
export class GraphPlot implements Control {
  readonly element: HTMLElement;
  private readonly picture: Plot;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private graph: PlacedGraph | undefined;
  /** Undefined: nobody has zoomed or moved it. */
  private view: GraphView | undefined;
  private cursor: Node;

  constructor(private readonly options: GraphPlotOptions) {
    const { draw, onKey, ...rest } = options;
    this.picture = plot({
      ...rest,
      draw: (surface, colors) => {
        const { graph, cursor } = this;
        if (graph === undefined) return;
        draw(surface, colors, {
          view: this.view ?? firstView(graph, surface.width, surface.height),
          cursor,
        });
      },
      onKey: (event) => onKey?.(event.key, this.cursor) === true || this.onKey(event),
    });
    this.followPointer();
    this.element = element('div', { class: 'graph-plot fill' }, this.picture.element, this.readOut);
  }

  /** @param keeps whether place and size remain: the graph has only grown or shrunk. @param cursor the node under it */
  show(graph: PlacedGraph | undefined, keeps: boolean, cursor?: number): void {
    if (!keeps) this.view = undefined;
    this.graph = graph;
    this.cursor =
      graph !== undefined && cursor !== undefined && cursor < graph.nodes.length ? cursor : undefined;
    this.showWords();
    this.picture.renew();
    if (keeps && graph !== undefined && this.cursor !== undefined) this.reveal(graph, this.cursor);
  }

  focus(): void {
    this.picture.canvas.focus();
  }

  get hasFocus(): boolean {
    return document.activeElement === this.picture.canvas;
  }

  /** Draws again, and updates the words below. */
  update(): void {
    this.showWords();
    this.picture.update();
  }

  private get size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.picture.canvas;
    return { width: clientWidth, height: clientHeight };
  }

  private now(graph: PlacedGraph): GraphView {
    return this.view ?? firstView(graph, this.size.width, this.size.height);
  }

  private words(): string {
    return this.graph === undefined ? '' : this.options.words(this.cursor);
  }

  private setCursor(node: Node): void {
    if (node === this.cursor) return;
    this.cursor = node;
    this.update();
  }

  private showWords(): void {
    const words = this.words();
    this.readOut.textContent = words;
    this.readOut.title = words;
  }

  private onKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { graph, cursor } = this;
    if (graph === undefined) return false;
    if (cursor !== undefined) {
      if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
        const { left, top } = this.picture.canvas.getBoundingClientRect();
        const box = boxOf(graph, cursor, this.now(graph));
        this.options.onMenu(cursor, { x: left + box.x + 12, y: top + box.y + box.height });
        return true;
      }
      if (key === 'Enter' || key === ' ') {
        this.options.onChoose(cursor);
        return true;
      }
    }
    return this.zoomBy(graph, key) || this.moveBy(graph, key);
  }

  private zoomBy(graph: PlacedGraph, key: string): boolean {
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

  private moveBy(graph: PlacedGraph, key: string): boolean {
    if (!key.startsWith('Arrow')) return false;
    const next = nextNode(graph, this.cursor, key);
    if (next === undefined) return false;
    this.setCursor(next);
    this.reveal(graph, next);
    announce(this.words());
    this.options.onMove?.(next);
    return true;
  }

  /** Moves the picture so that a box is in it. */
  private reveal(graph: PlacedGraph, node: number): void {
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
    graph: PlacedGraph,
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
    const under = (event: MouseEvent): Node => {
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
      if (node !== undefined) this.options.onChoose(node);
    });
    canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const node = under(event);
      if (node !== undefined) this.options.onMenu(node, { x: event.clientX, y: event.clientY });
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
}
