import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { outline } from '../../charts/marks';
import { plotArea, timeGrid, timeMarks } from '../base/frame';
import { timeKey } from '../base/timeAxis';
import { timePicture, type TimePictureOptions } from '../base/timePicture';

/** A picture of items, such as intervals, by scale and iteration. */
export interface ExplainPicture extends Control {
  /** Clears the selection after the series has changed. */
  renew(): void;
}

export function explainPicture<Item>(
  options: Omit<TimePictureOptions, 'draw' | 'readOut' | 'onKey'> & {
    /** Height of the legend above the picture. */
    readonly top: number;
    readonly verticalTitle: string;
    readonly draw: (surface: Surface, colors: PlotColors, area: Area) => void;
    /** The area of an item; undefined if it is not visible. */
    readonly placeOf: (item: Item, area: Area) => Area | undefined;
    readonly itemAt: (iteration: number, y: number, area: Area) => Item | undefined;
    /** The item that a key moves to; undefined for other keys. */
    readonly neighbour: (key: string, from: Item | undefined) => Item | undefined;
    readonly words: (item: Item | undefined) => string;
  },
): ExplainPicture {
  const { axis, top, words } = options;
  let chosen: Item | undefined;
  const shown = timePicture({
    ...options,
    readOut: () => words(chosen),
    draw: (surface, colors) => {
      const area = plotArea(surface.width, surface.height, top);
      options.draw(surface, colors, area);
      timeGrid(surface, colors, area, axis, options.verticalTitle);
      timeMarks(surface, colors, area, axis);
      const place = chosen === undefined ? undefined : options.placeOf(chosen, area);
      if (place !== undefined) surface.inside(area, () => outline(surface, colors, place));
    },
    onKey: (event) => {
      const next = options.neighbour(event.key, chosen);
      if (next === undefined) return timeKey(event, axis);
      choose(next);
      announce(words(next));
      return true;
    },
  });
  const choose = (item: Item | undefined): void => {
    chosen = item;
    shown.say();
    shown.update();
  };
  const { canvas } = shown;
  canvas.addEventListener('pointermove', (event) => {
    const { left, top: above } = canvas.getBoundingClientRect();
    const area = plotArea(canvas.clientWidth, canvas.clientHeight, top);
    choose(options.itemAt(axis.iterationAt(event.clientX - left, area), event.clientY - above, area));
  });
  canvas.addEventListener('pointerleave', () => choose(undefined));
  return {
    element: element('div', { class: 'explain-chart' }, shown.element, shown.readOut),
    renew: () => {
      choose(undefined);
      shown.renew();
    },
  };
}
