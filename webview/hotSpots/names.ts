import { visibleControls } from '../../src/core/names/visibleControls';
import { unqualifiedName } from '../../src/core/names/unqualifiedName';
import type { FlameSource } from '../ui/flame/flameGraph';
import type { GridColumn } from '../ui/grid/columns';
import { element } from '../ui/base/dom';
import { setHighlighted } from '../ui/base/highlight';
import type { Model } from './data/model';
import { matchRanges, type Found } from '../ui/search/nameSearch';

/** State that the tables and the flame graph share: form of names and matches of the search. */
export interface Shown {
  readonly model: Model;
  readonly found: Found;
  readonly fullNames: boolean;
}

/** Maximum characters of a name in a row; the tooltip has up to ten times as many, *Copy* all. */
const longestInRow = 1000;

export function shownName({ model, fullNames }: Shown, region: number): string {
  const name = (fullNames ? model.names : model.folded)[region] ?? '?';
  const shown = name.length > longestInRow ? `${name.slice(0, longestInRow)}…` : name;
  return fullNames ? visibleControls(shown) : shown;
}

/** The first column of both tables: the name with its marks, and a tooltip for the function. */
export function nameColumn(
  title: string,
  shown: () => Shown,
  of: {
    readonly name: (row: number) => string;
    /** Stands before the name, and is no part of it. */
    readonly before?: (row: number) => string;
    readonly isMatch: (row: number) => boolean;
    readonly notes: (row: number) => readonly string[];
    /** Function that the row names; −1: none. */
    readonly region: (row: number) => number;
  },
): GridColumn {
  const before = (row: number): string => of.before?.(row) ?? '';
  return {
    id: 'name',
    title,
    tooltip: 'Function; the full name is in the tooltip',
    width: 200,
    sort: 'ascending',
    text: (row) => `${before(row)}${of.name(row)}`,
    render: (row, cell) => {
      const name = of.name(row);
      const marks = of.isMatch(row) ? matchRanges(name, shown().found) : [];
      const tags = of.notes(row);
      const mark = before(row);
      if (tags.length === 0 && mark === '') {
        setHighlighted(cell, name, marks);
        return;
      }
      const text = element('span');
      setHighlighted(text, name, marks);
      cell.replaceChildren(
        ...(mark === '' ? [] : [element('span', { class: 'row-arrow', text: mark })]),
        text,
        ...tags.map((tag) => element('span', { class: 'tag', text: tag })),
      );
    },
    cellTooltip: (row) => (of.region(row) < 0 ? of.name(row) : tooltipOf(shown().model, of.region(row))),
  };
}

/** Full name, place and decision. */
function tooltipOf(model: Model, region: number): string {
  const { file, line, reason } = model.row(region);
  const name = visibleControls((model.names[region] ?? '?').slice(0, 10 * longestInRow));
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return [name, place, reason].filter((part) => part !== undefined).join('\n');
}

/** `file:line` of a function, without folders; undefined: the profile does not have it. */
export function shortPlace(model: Model, region: number): string | undefined {
  return fileAndLine(model.row(region));
}

/** `file:line` without folders. */
export function fileAndLine(place: {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}): string | undefined {
  const { file, line } = place;
  if (file === undefined) return undefined;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === undefined ? name : `${name}:${line}`;
}

/** The column of the functions' places, where a click opens the source. */
export function sourceColumn(of: {
  readonly tooltip: string;
  readonly text: (row: number) => string;
  /** Function whose source a click opens; −1: none. */
  readonly region: (row: number) => number;
  readonly file: (row: number) => string | undefined;
}): GridColumn {
  return {
    id: 'place',
    title: 'Source',
    tooltip: of.tooltip,
    width: 120,
    text: of.text,
    isLink: (row) => of.region(row) >= 0 && of.file(row) !== undefined,
    cellTooltip: (row) => {
      const file = of.file(row);
      return file === undefined ? undefined : `Open ${file}`;
    },
  };
}

/** Marks after a function's name. */
export function functionNotes(model: Model, region: number): readonly string[] {
  const { pinned } = model.row(region);
  return pinned === undefined ? [] : [`pinned ${pinned}`];
}

/** Data of the flame graph. */
export function flameSource(shown: Shown, metric: number): FlameSource {
  const { model, found } = shown;
  const { inclusive, exclusive } = model.paths(metric).main;
  return {
    parent: model.parent,
    region: model.region,
    inclusive,
    exclusive,
    total: model.total(metric),
    links: () => model.heaviestFirst(metric),
    name: (region) => shownName(shown, region),
    shortName: (region) => unqualifiedName(model.folded[region] ?? ''),
    isMatch: (region) => found.regions[region] === 1,
  };
}
