import { unguarded } from '../../core/csv';
import { visibleControls } from '../../core/names/visibleControls';
import { contextKey, type SeriesContext } from '../../core/series/series';
import { preemptedMetric, processorMetric } from '../../core/series/series';
import { defaultMetric, kindByName, phaseContext } from './contexts';
import { invalidSeries, type SeriesPlace } from './errors';

/** Name of the column for the phase's own time. */
export const phaseColumn = 'phase';
/** What else is known of a phase; with other metrics it is a region of this name. */
const phaseMetrics: ReadonlySet<string> = new Set([preemptedMetric, processorMetric]);
export const iterationColumn = 'iteration';

/**
 * Contexts of the columns after the first: `velo`, `MPI_Wait rank=3`, `velo metric=visits rank=3 thread=1`; `phase` and
 * `phase rank=3` are the phase's own time, `phase metric=processor` and `phase metric=preempted` are of the phase, too.
 * @param columns texts of the header's cells and their first columns in the file
 */
export function columnContexts(
  columns: readonly HeaderCell[],
  file: string,
  line: number,
): readonly SeriesContext[] {
  const [first, ...rest] = columns;
  if (first?.text.trim().toLowerCase() !== iterationColumn)
    throw invalidSeries(
      { file, line, column: 1 },
      'a header that begins with “iteration”, or the line {"kymoSeries":1,"unit":"s"}',
      `“${visibleControls((first?.text ?? '').slice(0, 40))}”`,
      'Write a file with a first column “iteration” and a column for each region, rank and thread, such as “solve rank=3”.',
    );
  if (rest.length === 0)
    throw invalidSeries(
      { file, line, column: first.text.length + first.column },
      'a column for each series after “iteration”',
      'the end of the line',
    );
  const columnOf = new Map<string, number>();
  return rest.map(({ text, column }, position) => {
    const context = contextOfColumn(text, { file, line, column });
    const key = contextKey(context);
    const before = columnOf.get(key);
    if (before !== undefined)
      throw invalidSeries(
        { file, line, column },
        'another region, metric, rank or thread',
        `column ${before} again`,
      );
    columnOf.set(key, position + 2);
    return context;
  });
}

export interface HeaderCell {
  readonly text: string;
  readonly column: number;
}

const field = /^(.*\S)\s+(metric|rank|thread)=(\S+)$/is;

function contextOfColumn(text: string, place: SeriesPlace): SeriesContext {
  let name = unguarded(text).trim();
  const fields = new Map<string, string>();
  for (let match = field.exec(name); match !== null; match = field.exec(name)) {
    const [, rest = '', written = '', value = ''] = match;
    const key = written.toLowerCase();
    if (fields.has(key)) throw invalidSeries(place, `${key}= once`, 'it twice');
    fields.set(key, value);
    name = rest;
  }
  if (name === '') throw invalidSeries(place, 'the name of a series', 'an empty one');
  const rank = wholeNumber(fields, 'rank', place);
  const thread = wholeNumber(fields, 'thread', place);
  const metric = fields.get('metric') ?? defaultMetric;
  if (name.toLowerCase() === phaseColumn && (metric === defaultMetric || phaseMetrics.has(metric)))
    return { ...phaseContext(undefined, rank, thread), metric };
  return { region: { name, kind: kindByName(name) }, metric, rank, thread };
}

function wholeNumber(fields: ReadonlyMap<string, string>, name: string, place: SeriesPlace): number {
  const text = fields.get(name) ?? '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidSeries(place, `a whole number as ${name}`, `“${text.slice(0, 40)}”`);
}
