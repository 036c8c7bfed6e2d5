import { iconButton } from '../ui/controls/button';
import { canvasPng } from '../ui/base/canvas';
import { type Control, element } from '../ui/base/dom';
import { type MenuItem, menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { onThemeChange } from '../ui/base/theme';
import { font } from './configuration';
import type { CurvePainter } from './curves';
import { figure, type FigureOptions } from './figure';
import { type PlotColors, plotColors } from './plotColors';
import { canvasSurface, measured, type Surface } from './surface';
import { svgSurface } from './svgSurface';

export interface PlotOptions extends FigureOptions {
  /** Help text for the keys. */
  readonly keys: string;
  /** Draws maps and pictures of intervals directly on the surface. */
  readonly draw?: (surface: Surface, colors: PlotColors) => void;
  /** Draws a chart with axes in place of that, unless it is empty. */
  readonly curves?: CurvePainter;
  /** The same numbers as a table; `refresh` updates them. */
  readonly table: Control & { refresh(): void };
  /** The same numbers as CSV. */
  readonly csv: () => string | Promise<string>;
  readonly onSave: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  /** Saves the SVG, in place of that of the picture as it is shown. */
  readonly saveSvg?: () => void;
  /** Other files to save, at the end of the menu. */
  readonly moreFiles?: readonly MenuItem[];
  /** Returns whether it has handled the key. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

export interface Plot extends Control {
  readonly canvas: HTMLCanvasElement;
  /** Redraws in the next frame. */
  update(): void;
  /** Redraws and updates the table after the numbers have changed. */
  renew(): void;
}

/** A picture that is sharp on any screen, with a table as its alternative. Users can save it as PNG, SVG or CSV. */
export function plot(options: PlotOptions): Plot {
  const { label } = options;
  const keys = `${options.keys} The button beside it shows a table.`;
  const shown = figure(options, 'application', keys, () => renew());
  const { canvas, picture } = shown;
  shown.tablePlace.append(options.table.element);
  let due = false;
  const draw = (): void => {
    const { clientWidth: width, clientHeight: height } = picture;
    const context = canvas.getContext('2d');
    if (context === null || width < 1 || height < 1) return;
    const ratio = Math.min(3, Math.max(1, window.devicePixelRatio));
    const colors = plotColors();
    if (options.curves?.onCanvas(canvas, { width, height }, colors, font(), ratio) === true) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.inlineSize = `${width}px`;
    canvas.style.blockSize = `${height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    options.draw?.(canvasSurface(context, width, height, font()), colors);
  };
  const update = (): void => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      if (!shown.showsTable) draw();
    });
  };
  const renew = (): void => {
    if (shown.showsTable) options.table.refresh();
    update();
  };
  const svg = (): string => {
    const context = element('canvas').getContext('2d');
    const own = font();
    const colors = plotColors();
    // A hidden picture has no size.
    const width = picture.clientWidth > 0 ? picture.clientWidth : 800;
    const height = picture.clientHeight > 0 ? picture.clientHeight : 300;
    const surface = svgSurface(width, height, {
      font: own,
      background: colors.background,
      title: label,
      measure: (text) => (context === null ? text.length * own.size * 0.55 : measured(context, own, text)),
    });
    if (options.curves?.onSvg(surface.context, { width, height }, colors, own) !== true)
      options.draw?.(surface, colors);
    return surface.document();
  };
  const save = async (kind: 'png' | 'svg' | 'csv'): Promise<void> => {
    const text = (content: string): Uint8Array => new TextEncoder().encode(content);
    if (kind === 'csv') options.onSave(kind, text(await options.csv()));
    else if (kind === 'svg') options.onSave(kind, text(svg()));
    else {
      draw();
      const content = await canvasPng(canvas);
      if (content !== undefined) options.onSave(kind, content);
    }
  };
  const saving = iconButton('save', `${label}: Save…`, () =>
    openMenu(
      label,
      [...saveItems(shown.showsTable, save, options.saveSvg), ...(options.moreFiles ?? [])],
      menuPlaceBelow(saving.element),
    ),
  );
  const buttons = element('div', { class: 'plot-buttons' }, shown.toggle.element, saving.element);
  shown.element.classList.add('plot');
  shown.element.append(buttons);
  canvas.addEventListener('keydown', (event) => {
    if (options.onKey?.(event) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(update).observe(picture);
  onThemeChange(update);
  shown.setShowsTable(options.showsTable ?? false);
  return {
    element: shown.element,
    canvas,
    update,
    renew,
  };
}

function saveItems(
  showsTable: boolean,
  save: (kind: 'png' | 'svg' | 'csv') => Promise<void>,
  saveSvg = (): void => void save('svg'),
): readonly MenuItem[] {
  const why = showsTable ? { disabled: 'Show the picture first.' } : {};
  return [
    { label: 'Save as PNG…', ...why, run: () => void save('png') },
    { label: 'Save as SVG…', run: saveSvg },
    { label: 'Save as CSV…', run: () => void save('csv') },
  ];
}
