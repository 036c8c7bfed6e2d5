import type { MenuPlace } from '../../ui/controls/menu';
import type { Span } from '../time/span';

/** Shorter ways of the pointer are clicks. */
const dragPixels = 4;
/** One notch of a wheel is about 100 pixels: zooms by a fifth. */
const wheelZoom = 0.0018;
const linePixels = 18;

interface At {
  readonly row: number;
  readonly seconds: number;
}

/** What a pointer does, in pixels of the canvas. */
interface PointerOptions<Place extends At> {
  readonly zone: (x: number, y: number) => 'axis' | 'names' | 'spans';
  readonly place: (x: number, y: number) => Place;
  readonly width: () => number;
  readonly scrollBy: (pixels: number) => void;
  readonly hover: (x: number, y: number) => void;
  readonly leave: () => void;
  readonly events: {
    readonly onZoom: (factor: number, around: number) => void;
    readonly onPan: (share: number) => void;
    readonly onZoomTo: (span: Span) => void;
    readonly onRange: (span: Span, rows: readonly [from: number, to: number], isDone: boolean) => void;
    readonly onClick: (place: Place) => void;
    readonly onDoubleClick: (place: Place) => void;
    readonly onMenu: (place: Place, at: MenuPlace) => void;
    readonly onHeight: (by: 1 | -1) => void;
  };
}

/** Wheel: zoom, over names and with Alt scroll, with Shift or sideways pan, with Ctrl higher rows. Drag: a range; on the axis zoom; with the middle button pan. */
export function listenToPointer<Place extends At>(
  canvas: HTMLCanvasElement,
  options: PointerOptions<Place>,
): void {
  const { events } = options;
  const inCanvas = (event: MouseEvent): readonly [x: number, y: number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  listenToWheel(canvas, options, inCanvas);
  let drag:
    | { readonly zone: string; readonly x: number; readonly y: number; readonly from: Place }
    | undefined;
  let isFar = false;
  let panned = 0;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 1) return;
    const [x, y] = inCanvas(event);
    const zone = event.button === 1 ? 'pan' : options.zone(x, y);
    drag = { zone, x, y, from: options.place(x, y) };
    isFar = false;
    panned = x;
    canvas.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
  });
  const rangeTo = (x: number, y: number, isDone: boolean): void => {
    if (drag === undefined) return;
    const to = options.place(x, y);
    const span = {
      from: Math.min(drag.from.seconds, to.seconds),
      to: Math.max(drag.from.seconds, to.seconds),
    };
    if (drag.zone === 'axis' && isDone) events.onZoomTo(span);
    else events.onRange(span, [Math.min(drag.from.row, to.row), Math.max(drag.from.row, to.row)], isDone);
  };
  canvas.addEventListener('pointermove', (event) => {
    const [x, y] = inCanvas(event);
    if (drag === undefined) {
      options.hover(x, y);
      return;
    }
    isFar ||= Math.abs(x - drag.x) >= dragPixels || (drag.zone === 'pan' && x !== drag.x);
    if (!isFar) return;
    options.leave();
    if (drag.zone === 'pan') {
      events.onPan((panned - x) / options.width());
      panned = x;
    } else if (drag.zone !== 'names') rangeTo(x, y, false);
  });
  const end = (event: PointerEvent, isCancelled: boolean): void => {
    const [x, y] = inCanvas(event);
    const { zone } = drag ?? {};
    if (zone === undefined) return;
    if (!isCancelled && isFar && (zone === 'spans' || zone === 'axis')) rangeTo(x, y, true);
    else if (!isCancelled && !isFar && (zone === 'spans' || zone === 'names'))
      events.onClick(options.place(x, y));
    drag = undefined;
  };
  canvas.addEventListener('pointerup', (event) => end(event, false));
  canvas.addEventListener('pointercancel', (event) => end(event, true));
  canvas.addEventListener('pointerleave', () => options.leave());
  canvas.addEventListener('dblclick', (event) => {
    const [x, y] = inCanvas(event);
    if (options.zone(x, y) === 'spans') events.onDoubleClick(options.place(x, y));
  });
  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const [x, y] = inCanvas(event);
    if (options.zone(x, y) !== 'axis')
      events.onMenu(options.place(x, y), { x: event.clientX, y: event.clientY });
  });
}

function listenToWheel<Place extends At>(
  canvas: HTMLCanvasElement,
  { zone, place, width, scrollBy, events }: PointerOptions<Place>,
  inCanvas: (event: MouseEvent) => readonly [x: number, y: number],
): void {
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      const [x, y] = inCanvas(event);
      const isSideways = Math.abs(dx) > Math.abs(dy);
      if (event.shiftKey || isSideways) events.onPan((isSideways ? dx : dy) / width());
      else if (event.altKey || zone(x, y) === 'names') scrollBy(dy);
      // Two fingers that move apart arrive as many small turns with Ctrl: they zoom.
      else if (event.ctrlKey && Math.abs(dy) < 50)
        events.onZoom(Math.exp(dy * 5 * wheelZoom), place(x, y).seconds);
      else if (event.ctrlKey) events.onHeight(dy < 0 ? 1 : -1);
      else events.onZoom(Math.exp(dy * wheelZoom), place(x, y).seconds);
    },
    { passive: false },
  );
}
