import { formatSeconds } from '../../../src/core/format';
import { at } from '../../../src/core/at';
import type { GroupRow } from '../../../src/core/views/groupSummary';
import { translucent } from '../../charts/configuration';
import type { ChartColor } from '../../charts/data';
import { hatch, outline } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import { fittedStart, type Area, type Surface } from '../../charts/surface';
import { fitted } from '../ranks/mapDrawing';
import { densities, type GroupModel, type Section } from './groupModel';

export interface GroupsPicture {
  readonly model: GroupModel;
  /** Names of the functions without scope, for the sections. */
  readonly shortNames: readonly string[];
  /** Rows from top to bottom that are in view, and how many there are above and in all. */
  readonly rows: readonly GroupRow[];
  readonly first: number;
  readonly cursor: { readonly row: GroupRow | undefined; readonly place: number | undefined };
  readonly isChosen: (row: GroupRow) => boolean;
  /** Whether a section is one that the search found; undefined: nothing is searched for. */
  readonly isFound: ((place: number) => boolean) | undefined;
}

export const rowHeight = 46;
const lineHeight = 18;
const barHeight = 27;

/** Where the parts of the picture are. */
export interface GroupsLayout {
  readonly names: number;
  /** Columns of the legend, whose lines begin below the first one. */
  readonly legend: { readonly columns: number; readonly lines: number; readonly width: number };
  readonly strip: Area;
  readonly bar: Area;
}

/** @param functions their number, with that for all other functions */
export function groupsLayout(width: number, height: number, functions: number): GroupsLayout {
  const isWide = width >= 560;
  const columns = Math.max(1, Math.min(4, Math.floor((width - 24) / 150)));
  const lines = Math.ceil(functions / columns);
  const y = lineHeight * (lines + 1) + 34;
  const names = isWide ? Math.min(260, width * 0.27) : 100;
  const strip = isWide ? Math.min(140, width * 0.14) : 54;
  const x = names + strip + 24;
  const rows = Math.max(rowHeight, height - y);
  return {
    names,
    legend: { columns, lines, width: (width - 24) / columns },
    strip: { x: names + 12, y, width: strip, height: rows },
    bar: { x, y, width: Math.max(20, width - x - 14), height: rows },
  };
}

const hues: readonly ChartColor[] = ['blue', 'orange', 'green', 'purple', 'yellow', 'red'];

/** A function has the same colour in all rows; the seventh is hatched, because there are six colours. */
function look(
  colors: PlotColors,
  place: number,
  functions: number,
): { readonly color: string; readonly hatch: 'rising' | 'falling' | undefined } {
  if (place === functions - 1) return { color: colors.muted, hatch: 'falling' };
  const color = colors[at(hues, place % hues.length)];
  return { color, hatch: place < hues.length ? undefined : 'rising' };
}

export function drawGroups(surface: Surface, colors: PlotColors, picture: GroupsPicture): void {
  const { model, rows, cursor } = picture;
  const layout = groupsLayout(surface.width, surface.height, model.names.length);
  if (model.names.length > 1) legend(surface, colors, picture, layout);
  titles(surface, colors, layout, model);
  rows.forEach((row, index) => {
    const y = layout.bar.y + index * rowHeight;
    surface.line([8, y, surface.width - 14, y], { color: colors.grid });
    if (row === cursor.row)
      surface.rectangle(
        { x: 8, y: y + 1, width: surface.width - 22, height: rowHeight - 2 },
        { fill: translucent(colors.focus, 0.12), stroke: { color: colors.focus } },
      );
    if (picture.isChosen(row))
      surface.rectangle({ x: 2, y: y + 3, width: 4, height: rowHeight - 6 }, { fill: colors.focus });
    names(surface, colors, picture, { row, y, layout });
    strip(surface, colors, row, model.processes, { ...layout.strip, y: y + 10, height: barHeight });
    bar(surface, colors, picture, { row, area: { ...layout.bar, y: y + 10, height: barHeight } });
  });
  scrollMark(surface, colors, picture, layout.bar);
}

function titles(
  surface: Surface,
  colors: PlotColors,
  { names, strip, bar }: GroupsLayout,
  model: GroupModel,
): void {
  const style = { color: colors.muted };
  const y = bar.y - 11;
  surface.text('Group', 12, y, style);
  surface.text(fittedStart(surface, 'Position', strip.width), names + 12, y, style);
  const words =
    surface.width < 560 ? 'Time by function' : 'Time of a member by function; the length of a bar is no time';
  const title = model.names.length > 1 ? words : '';
  surface.text(fittedStart(surface, title, bar.width), bar.x, y, style);
}

function legend(
  surface: Surface,
  colors: PlotColors,
  { model, isFound }: GroupsPicture,
  layout: GroupsLayout,
): void {
  const key = { x: 12, y: 4, width: 42, height: 15 };
  stairs(surface, colors, key, { least: 0.5, mean: 0.75 }, { color: colors.muted, hatch: undefined });
  surface.text(fittedStart(surface, 'least, mean and most time of a member', surface.width - 150), 62, 12, {
    color: colors.foreground,
  });
  model.names.forEach((name, place) => {
    const { columns, width } = layout.legend;
    const x = 12 + (place % columns) * width;
    const y = lineHeight * (1 + Math.floor(place / columns)) + 8;
    const isLast = place === model.names.length - 1;
    const area = { x, y: y + 1, width: 13, height: 13 };
    const own = look(colors, place, model.names.length);
    fill(surface, colors, area, own);
    surface.rectangle(area, { stroke: { color: colors.isHighContrast ? colors.foreground : colors.grid } });
    const label = isLast ? name : `${place + 1}  ${name}`;
    const short = isLast ? label : `${place + 1}  ${fitted(surface, name, width - 42)}`;
    surface.text(surface.measure(label) <= width - 24 ? label : short, x + 19, y + 8, {
      color: colors.foreground,
      bold: isFound?.(place) === true,
    });
  });
}

function names(
  surface: Surface,
  colors: PlotColors,
  { model, isChosen }: GroupsPicture,
  { row, y, layout }: { readonly row: GroupRow; readonly y: number; readonly layout: GroupsLayout },
): void {
  const width = layout.names - 12;
  const isWide = surface.width >= 560;
  // Bold letters are wider than those that are measured.
  const name = fittedStart(surface, row.text, 0.88 * width);
  surface.text(name, 12, y + 16, { color: colors.foreground, bold: true });
  const time = row.whole === undefined ? [] : [`${isWide ? 'mean ' : ''}${formatSeconds(row.whole.mean)}`];
  const count = isWide ? model.counted(row.count) : String(row.count);
  const parts = [count, ...time, ...(isChosen(row) ? ['shown'] : [])];
  surface.text(fittedStart(surface, parts.join(' · '), width), 12, y + 33, { color: colors.muted });
}

/** Where among all processes the members are; a column is as high as the part of its processes that are members. */
function strip(surface: Surface, colors: PlotColors, row: GroupRow, processes: number, area: Area): void {
  const columns = Math.max(1, Math.min(processes, Math.floor(area.width)));
  const width = area.width / columns;
  surface.rectangle(area, { fill: translucent(colors.muted, 0.12) });
  const parts = densitiesOf(row, processes, columns);
  for (let from = 0; from < columns; from++) {
    const part = parts[from] ?? 0;
    if (part === 0) continue;
    let to = from + 1;
    while (to < columns && parts[to] === part) to++;
    const height = Math.max(3, Math.min(1, part) * area.height);
    surface.rectangle(
      {
        x: area.x + from * width,
        y: area.y + area.height - height,
        width: Math.max(1, (to - from) * width),
        height,
      },
      { fill: colors.foreground },
    );
    from = to - 1;
  }
  surface.rectangle(area, { stroke: { color: colors.isHighContrast ? colors.foreground : colors.grid } });
}

/** The last ones of each row: thousands of ranges need not be added up with each movement of the pointer. */
const known = new WeakMap<GroupRow, Float64Array>();

function densitiesOf(row: GroupRow, processes: number, columns: number): Float64Array {
  const before = known.get(row);
  if (before?.length === columns) return before;
  const parts = densities(row.members, processes, columns);
  known.set(row, parts);
  return parts;
}

function bar(
  surface: Surface,
  colors: PlotColors,
  { model, shortNames, cursor, isFound }: GroupsPicture,
  { row, area }: { readonly row: GroupRow; readonly area: Area },
): void {
  for (const section of model.sections(row)) {
    const { place } = section;
    const own = sectionArea(section, area);
    // A line of the background between neighbours.
    const shape = { ...own, width: Math.max(0.5, own.width - 1) };
    const length = section.most - section.begin;
    const steps = {
      least: (section.least - section.begin) / length,
      mean: (section.mean - section.begin) / length,
    };
    const plain = look(colors, place, model.names.length);
    const isPale = isFound !== undefined && !isFound(place);
    stairs(
      surface,
      colors,
      shape,
      steps,
      isPale ? { ...plain, color: translucent(plain.color, 0.3) } : plain,
    );
    const isLast = place === model.names.length - 1;
    const number = isLast ? '' : String(place + 1);
    const name = isLast ? at(model.names, place) : `${number} ${shortNames[place] ?? ''}`;
    const text = [name, number].find((one) => one !== '' && surface.measure(one) + 8 <= own.width);
    if (text !== undefined)
      surface.text(text, own.x + 4, own.y + own.height / 2, {
        color: colors.foreground,
        halo: colors.background,
      });
    if (row === cursor.row && place === cursor.place) outline(surface, colors, shape);
  }
}

export function sectionArea({ begin, most }: Section, area: Area): Area {
  return { ...area, x: area.x + begin * area.width, width: (most - begin) * area.width };
}

/** The full height up to the least, two thirds of it up to the mean, and a third up to the most. */
function stairs(
  surface: Surface,
  colors: PlotColors,
  { x, y, width, height }: Area,
  { least, mean }: { readonly least: number; readonly mean: number },
  own: ReturnType<typeof look>,
): void {
  const [a, b, end, bottom] = [x + least * width, x + mean * width, x + width, y + height];
  const [upper, lower] = [y + height / 3, y + (2 * height) / 3];
  fill(surface, colors, { x, y, width: a - x, height }, own);
  fill(surface, colors, { x: a, y: upper, width: b - a, height: bottom - upper }, own);
  fill(surface, colors, { x: b, y: lower, width: end - b, height: bottom - lower }, own);
  const steps = [
    [x, a, y],
    [a, b, upper],
    [b, end, lower],
  ] as const;
  // A step without width has no height either: the least of some is nothing.
  const edge = steps.flatMap(([from, to, top]) => (to > from ? [from, top, to, top] : []));
  surface.line([x, bottom, ...edge, end, bottom, x, bottom], {
    color: colors.isHighContrast ? colors.foreground : translucent(colors.foreground, 0.45),
  });
}

function fill(surface: Surface, colors: PlotColors, area: Area, own: ReturnType<typeof look>): void {
  if (area.width <= 0) return;
  surface.rectangle(area, { fill: own.color });
  if (own.hatch !== undefined) hatch(surface, area, own.hatch, translucent(colors.background, 0.75));
}

function scrollMark(
  surface: Surface,
  colors: PlotColors,
  { model, rows, first }: GroupsPicture,
  area: Area,
): void {
  const all = Math.max(1, model.rows.length);
  if (rows.length >= model.rows.length) return;
  const height = Math.max(12, (rows.length / all) * area.height);
  const y = area.y + (first / all) * area.height;
  surface.rectangle({ x: surface.width - 6, y, width: 4, height }, { fill: colors.muted });
}
