import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { canvasPng } from '../ui/base/canvas';
import type { Control } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';
import { onThemeChange } from '../ui/base/theme';
import { configuration, type Kinds } from './configuration';
import { type ChartData, pointText } from './data';
import { dataTable } from './dataTable';
import { figure, type FigureOptions } from './figure';
import { referenceLines } from './references';

// Lines are in `lines.ts`, because few views have them.
Drawing.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip);

export interface Chart extends Control {
  setData(data: ChartData): void;
  /** Whether the table replaces the chart. */
  readonly showsTable: boolean;
  setShowsTable(showsTable: boolean): void;
  /** The picture as PNG, on the background of the theme; undefined for an empty chart. */
  png(): Promise<Uint8Array | undefined>;
  dispose(): void;
}

/**
 * A bar chart in the colours of the theme, with a table as its alternative; a view whose charts have lines imports `lines.ts`. Keys: Left, Right, Home and End move over the points
 * and read them out; Enter chooses one.
 */
export function chart(
  options: FigureOptions & {
    /** Called with the position on the horizontal axis of the point that the user chose. */
    readonly onChoose?: (position: number) => void;
  },
): Chart {
  const keys = 'Arrow keys read the points; the button beside it shows a table.';
  const shown = figure(options, 'img', keys, () => fillTable());
  const { canvas } = shown;
  shown.element.append(shown.toggle.element);
  let data: ChartData | undefined;
  let drawing: Drawing<Kinds, (number | null)[], string> | undefined;
  let position = -1;

  const draw = (): void => {
    if (data === undefined) return;
    const next = configuration(data);
    if (drawing === undefined)
      drawing = new Drawing<Kinds, (number | null)[], string>(canvas, {
        ...next,
        plugins: [referenceLines(() => data)],
      });
    else {
      drawing.data = next.data;
      drawing.options = next.options ?? {};
      drawing.update('none');
    }
    if (position >= 0) point(Math.min(position, data.categories.length - 1));
  };
  const fillTable = (): void => {
    if (shown.showsTable && data !== undefined)
      shown.tablePlace.replaceChildren(dataTable(options.label, data));
  };
  /** Marks the points at one position, as the pointer does. */
  const point = (to: number): void => {
    position = to;
    if (drawing === undefined || data === undefined) return;
    const active = drawing.data.datasets
      .map((dataset, datasetIndex) => ({ dataset, datasetIndex }))
      .filter(
        ({ dataset }) => dataset.label !== '' && dataset.data[to] !== null && dataset.data[to] !== undefined,
      )
      .map(({ datasetIndex }) => ({ datasetIndex, index: to }));
    drawing.setActiveElements(active);
    drawing.tooltip?.setActiveElements(active, { x: 0, y: 0 });
    drawing.update('none');
  };
  canvas.addEventListener('keydown', (event) => {
    if (data === undefined) return;
    const last = data.categories.length - 1;
    const to = {
      ArrowRight: Math.min(last, position + 1),
      ArrowLeft: Math.max(0, position - 1),
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined && last >= 0) {
      point(to);
      announce(pointText(data, to));
    } else if (event.key === 'Enter' && position >= 0) options.onChoose?.(position);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener('blur', () => point(-1));
  canvas.addEventListener('click', (event) => {
    const hit = drawing?.getElementsAtEventForMode(event, 'index', { intersect: false }, false)[0];
    if (hit !== undefined) options.onChoose?.(hit.index);
  });
  const stopListening = onThemeChange(draw);
  shown.setShowsTable(options.showsTable ?? false);
  return {
    element: shown.element,
    setData: (given) => {
      data = given;
      draw();
      fillTable();
    },
    get showsTable() {
      return shown.showsTable;
    },
    setShowsTable: shown.setShowsTable,
    png: () => (drawing === undefined ? Promise.resolve(undefined) : canvasPng(canvas)),
    dispose: () => {
      stopListening();
      drawing?.destroy();
    },
  };
}
