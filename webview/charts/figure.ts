import { type Control, element } from '../ui/base/dom';
import { type Button, iconButton } from '../ui/controls/button';
import './charts.css';

export interface FigureOptions {
  /** Description of the content, for screen readers. */
  readonly label: string;
  readonly showsTable?: boolean;
  readonly onShowsTable?: (showsTable: boolean) => void;
}

/** A picture, and a table that can replace it. */
export interface Figure extends Control {
  readonly canvas: HTMLCanvasElement;
  readonly picture: HTMLElement;
  readonly tablePlace: HTMLElement;
  /** The button that shows the table; its owner puts it into the figure. */
  readonly toggle: Button;
  readonly showsTable: boolean;
  readonly setShowsTable: (showsTable: boolean) => void;
}

/** @param onShow called when the user switches between picture and table */
export function figure(options: FigureOptions, role: string, keys: string, onShow: () => void): Figure {
  const { label } = options;
  let showsTable = options.showsTable ?? false;
  const canvas = element('canvas', { role, label: `${label}. ${keys}` });
  canvas.tabIndex = 0;
  const picture = element('div', { class: 'chart-picture' }, canvas);
  const tablePlace = element('div', { class: 'chart-table-place' });
  const setShowsTable = (wanted: boolean): void => {
    showsTable = wanted;
    picture.hidden = showsTable;
    tablePlace.hidden = !showsTable;
    toggle.setPressed(showsTable);
    onShow();
  };
  const toggle = iconButton('table', `${label}: Show as Table`, () => {
    setShowsTable(!showsTable);
    options.onShowsTable?.(showsTable);
  });
  return {
    element: element('div', { class: 'chart', role: 'group', label }, picture, tablePlace),
    canvas,
    picture,
    tablePlace,
    toggle,
    get showsTable() {
      return showsTable;
    },
    setShowsTable,
  };
}
