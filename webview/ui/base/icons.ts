/**
 * The icons of the views, drawn for this product on a grid of 16 × 16 as strokes of one width in the colour of the text.
 * (VS Code's own icon font is under a licence that is not among those this product may ship.)
 */
const paths = {
  stop: 'M4 4h8v8H4z',
  next: 'M3 2.5v11l7-5.5zM12.5 2.5v11',
  accept: 'M2.5 8.5l3.5 3.5 7.5-8',
  export: 'M8 10V2M4.5 5.5L8 2l3.5 3.5M2.5 9.5v4h11v-4',
  save: 'M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 9.5v4h11v-4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M10.3 10.3L14 14',
  up: 'M3.5 10L8 5.5l4.5 4.5',
  down: 'M3.5 6L8 10.5L12.5 6',
  right: 'M6 3.5L10.5 8L6 12.5',
  regex: 'M10.5 2v7M7.5 3.7l6 3.6M13.5 3.7l-6 3.6M2.5 12.5h1.5v1.5H2.5z',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 6.3v6.7',
  chart: 'M2.5 2v11.5h11.5M5 10.5l3-3.5 2.5 2L13.5 4.5',
  spread: 'M1.5 8h3M4.5 4.5h6v7h-6zM7 4.5v7M10.5 8h4M14.5 6v4M1.5 6v4',
  flame:
    'M8 14c-2.8 0-4.5-1.8-4.5-4.2C3.5 6.5 7 5.5 6.5 2c2.5 1 3.5 3 3.5 4.5c.8-.3 1-1 1-1.7c1 1.2 1.5 2.8 1.5 5C12.5 12.2 10.8 14 8 14z',
  hotPath: 'M3 2.5v4h5v4h5M10.5 8l2.5 2.5L10.5 13',
  expandAll: 'M3 5l5 4 5-4M3 9l5 4 5-4',
  collapseAll: 'M3 7.5l5-4 5 4M3 11.5l5-4 5 4',
  zoomIn: 'M3 8h10M8 3v10',
  zoomOut: 'M3 8h10',
  lower: 'M3 8h10M8 1.5v4M6 3.8L8 5.8L10 3.8M8 14.5v-4M6 12.2L8 10.2L10 12.2',
  higher: 'M3 8h10M8 6V1.8M6 3.8L8 1.8L10 3.8M8 10v4.2M6 12.2L8 14.2L10 12.2',
  zoomReset: 'M2.5 6v-3.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  undo: 'M6.5 3L3 6.5L6.5 10M3 6.5h6.5a3.5 3.5 0 1 1 0 7H6',
  link: 'M6.5 9.5l3-3M7 4.7l1.6-1.6a3 3 0 0 1 4.3 4.3L11.3 9M9 11.3l-1.6 1.6a3 3 0 0 1-4.3-4.3L4.7 7',
  swap: 'M4.5 2.5L2 5l2.5 2.5M2 5h10M11.5 8.5L14 11l-2.5 2.5M14 11H4',
  redo: 'M9.5 3L13 6.5L9.5 10M13 6.5H6.5a3.5 3.5 0 1 0 0 7H10',
  pin: 'M5.5 2.5h5M6.5 2.5v4l-2.5 3h8l-2.5-3v-4M8 9.5V14',
  source: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  compare: 'M6 3L2.5 6.5L6 10M2.5 6.5h8M10 6l3.5 3.5L10 13M13.5 9.5h-8',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  error: 'M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  fold: 'M10 3.5L5.5 8L10 12.5M13.5 3v10',
  menu: 'M3 4.5h10M3 8h10M3 11.5h10',
  warning: 'M8 2.2L14.6 13.5H1.4zM8 6.5v3.5M8 11.8v.1',
  info: 'M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12M8 7.2v4M8 4.8v.1',
} as const;

export type IconName = keyof typeof paths;

/** An icon as decoration; its control has the label. */
export function icon(name: IconName): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
