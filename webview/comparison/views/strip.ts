import { type Control, element, setAttribute } from '../../ui/base/dom';
import { classColors } from './colors';
import { classAt, placeOfRow, rowAt, runsOf } from './overviewModel';
import { differences } from '../words';

export interface Strip extends Control {
  /** Device pixels of its height: as many are asked for. */
  readonly pixels: number;
  /** @param strip undefined: it has not arrived */
  show(strip: Uint8Array | undefined, rows: Uint32Array): void;
  /** Begins below the head of the rows, and is no longer than they are. In pixels. */
  setExtent(top: number, height: number): void;
  /** Marks the visible rows [first, end) of `count`. */
  setVisible(first: number, end: number, count: number): void;
  redraw(): void;
}

/** A whole view as a strip: scrolls to the place of a click, and opens the source at a double click. */
export function strip(options: {
  readonly label: string;
  /** Scrolls so that the row is in the middle. */
  readonly onScroll: (row: number) => void;
  readonly onPage: (direction: 1 | -1) => void;
  readonly onOpen: (row: number) => void;
}): Strip {
  const canvas = element('canvas', { class: 'comparison-strip-picture' });
  const thumb = element('div', { class: 'comparison-strip-thumb' });
  const track = element('div', { class: 'comparison-strip-track' }, canvas, thumb);
  const place = element(
    'div',
    {
      class: 'comparison-strip',
      role: 'scrollbar',
      label: options.label,
      tooltip: 'Overview of all rows: click to scroll, double click to go to the source',
      attributes: { 'aria-orientation': 'vertical', 'aria-valuemin': '0' },
    },
    track,
  );
  place.tabIndex = 0;
  let shown: Uint8Array | undefined;
  let rows: Uint32Array = new Uint32Array(0);
  let visible = { first: 0, end: 0, count: 0 };
  const shareAt = (event: MouseEvent): number => {
    const box = track.getBoundingClientRect();
    return (event.clientY - box.top) / Math.max(1, box.height);
  };
  const scroll = (event: MouseEvent): void => {
    if (rows.length > 0) options.onScroll(rowAt(rows, shareAt(event)));
  };
  place.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    place.setPointerCapture(event.pointerId);
    scroll(event);
  });
  place.addEventListener('pointermove', (event) => {
    if (place.hasPointerCapture(event.pointerId)) scroll(event);
  });
  place.addEventListener('dblclick', (event) => {
    if (rows.length > 0) options.onOpen(rowAt(rows, shareAt(event)));
  });
  place.addEventListener('keydown', (event) => {
    const to: Readonly<Record<string, () => void>> = {
      ArrowUp: () => options.onScroll(middle() - 1),
      ArrowDown: () => options.onScroll(middle() + 1),
      PageUp: () => options.onPage(-1),
      PageDown: () => options.onPage(1),
      Home: () => options.onScroll(0),
      End: () => options.onScroll(visible.count - 1),
      Enter: () => options.onOpen(Math.min(visible.first, visible.count - 1)),
    };
    const act = Object.hasOwn(to, event.key) ? to[event.key] : undefined;
    if (act === undefined || visible.count === 0) return;
    event.preventDefault();
    act();
  });
  const middle = (): number => Math.floor((visible.first + visible.end) / 2);
  const pixels = (): number => Math.round(track.clientHeight * window.devicePixelRatio);
  const redraw = (): void => draw(canvas, shown ?? new Uint8Array(0), pixels());
  const showThumb = (): void => {
    const { first, end, count } = visible;
    const [from, to] = rows.length > 0 ? [placeOfRow(rows, first), placeOfRow(rows, end)] : [0, 1];
    const isAll = count === 0 || (first === 0 && end >= count);
    thumb.hidden = isAll;
    thumb.style.insetBlockStart = `${(from * 100).toFixed(3)}%`;
    thumb.style.blockSize = `max(6px, ${((to - from) * 100).toFixed(3)}%)`;
    setAttribute(place, 'aria-valuemax', String(Math.max(0, count - 1)));
    setAttribute(place, 'aria-valuenow', String(first));
    const kind = shown === undefined ? undefined : classAt(shown, Math.floor(from * shown.length));
    const words = kind === undefined ? '' : `, ${kind === 'equal' ? 'equal' : differences[kind].label}`;
    setAttribute(place, 'aria-valuetext', `row ${first + 1} of ${count}${words}`);
  };
  return {
    element: place,
    get pixels() {
      return pixels();
    },
    show: (given, givenRows) => {
      shown = given;
      rows = givenRows;
      redraw();
      showThumb();
    },
    setExtent: (top, height) => {
      track.style.insetBlockStart = `${top.toFixed(1)}px`;
      track.style.blockSize = `min(100% - ${top.toFixed(1)}px, ${height.toFixed(1)}px)`;
    },
    setVisible: (first, end, count) => {
      visible = { first, end: Math.min(end, count), count };
      showThumb();
    },
    redraw,
  };
}

function draw(canvas: HTMLCanvasElement, strip: Uint8Array, height: number): void {
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * window.devicePixelRatio));
  canvas.height = Math.max(1, height);
  const context = canvas.getContext('2d');
  if (context === null || strip.length === 0) return;
  const colors = classColors(canvas);
  const scale = canvas.height / strip.length;
  for (const { kind, first, end } of runsOf(strip)) {
    context.globalAlpha = kind === 'equal' ? 0.25 : 1;
    context.fillStyle = colors[kind];
    // Differences are wider than what is equal: they can be told without colours.
    const inset = kind === 'equal' ? Math.round(canvas.width * 0.3) : 0;
    context.fillRect(inset, first * scale, canvas.width - 2 * inset, Math.max(1, (end - first) * scale));
  }
}
