import { createHash } from 'node:crypto';
import path from 'node:path';
import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { RegionPlace } from '../../core/profile/place';
import { sumOf } from '../../core/sums';
import type { CallTrace } from '../../core/trace/callTrace';
import { commonMetrics, processesOf } from '../../core/trace/views/compareTraces';
import type {
  ComparedView,
  ComparisonHeader,
  ComparisonOverview,
  ComparisonRow,
  ComparisonSettings,
  ComparisonSummary,
} from '../../core/trace/comparisonPieces';
import { depthOf } from '../../core/trace/relative';
import { ComparedTraces } from '../../core/trace/views/comparedTraces';
import { rowsCsv, rowsCsvHead } from '../../core/trace/views/rowsCsv';
import { writeFileAtomically } from '../../measurement/files/disk';
import { withRecorded } from '../comparing/withRecorded';
import { readTraces, type ReadView, type TraceInput } from '../comparing/traceInputs';
import { compareTraceInputs } from '../compareTraces';
import { contentIdentity, RecentResults } from '../opened/recentResults';
import { inTurns, turn, type Told } from '../running/turn';

/** Traces that a viewer compares. */
export interface ComparisonQuestion {
  /** Two to four: `traces.otf2`, `.mvtrace`, or folders of these; the same one more than once where parts of it are compared. */
  readonly paths: readonly string[];
  /** Of each path; fewer: all of the others. */
  readonly parts?: readonly ViewPart[];
  /** Function each of whose calls is an iteration; default: the marks of the traces. */
  readonly phase?: string;
}

/** A part of a trace; all of it where nothing is given. */
interface ViewPart {
  readonly rank?: number;
  /** From 1, inclusive. */
  readonly iterations?: readonly [first: number, last: number];
}

/** What a viewer asks of an opened comparison; if its id has changed, the request fails (`comparison-changed`). */
export interface ComparisonName {
  readonly question: ComparisonQuestion;
  readonly id: string;
  readonly settings: ComparisonSettings;
  /** Position of a view whose rows are shown alone. */
  readonly view?: number;
}

export interface OpenedComparison {
  readonly header: ComparisonHeader;
  /** `run-a and run-b` */
  readonly title: string;
}

interface Made {
  readonly header: ComparisonHeader;
  readonly inputs: readonly TraceInput[];
  readonly compared: ComparedTraces;
}

const [fewestViews, mostViews] = [2, 4];
/** Rows of a table that are written at a time. */
const writtenRows = 10_000;
const mostRows = 500;
const mostPixels = 8_192;
export const savedComparisonFormats = ['json', 'csv'] as const;

const recent = new RecentResults<Made>(1);

/**
 * Reads and aligns traces, or returns those of the same question.
 * @throws KymoError `usage`, `trace-missing` and the errors of `readTraces`
 */
export async function openComparison(question: ComparisonQuestion, context: Told): Promise<OpenedComparison> {
  const { header } = await made(question, context);
  return { header, title: header.views.map(({ name }) => name).join(' and ') };
}

export async function comparisonSummary(asked: ComparisonName, context: Told): Promise<ComparisonSummary> {
  return (await named(asked, context)).compared.summary(asked);
}

/** Rows [first, first + count) of those that are shown, and the number of these. */
export async function comparisonRows(
  asked: ComparisonName & { readonly first: number; readonly count: number },
  context: Told,
): Promise<{ readonly rows: readonly ComparisonRow[]; readonly total: number }> {
  const { compared } = await named(asked, context);
  const rows = compared.rows(asked, asked.first, Math.min(asked.count, mostRows));
  return { rows, total: compared.total(asked) };
}

export async function comparisonOverview(
  asked: ComparisonName & { readonly pixels: number },
  context: Told,
): Promise<ComparisonOverview> {
  return (await named(asked, context)).compared.overview(asked, Math.min(asked.pixels, mostPixels));
}

/** The next row that differs after `row`, or before it; or the next one whose name has the text. */
export async function comparisonFind(
  asked: ComparisonName & { readonly row: number; readonly isBackwards: boolean; readonly text?: string },
  context: Told,
): Promise<{ readonly row?: number }> {
  return present({ row: (await named(asked, context)).compared.find(asked, asked) });
}

/** Where the function of a row is, or the one that sends its message. */
export async function comparisonPlace(
  asked: ComparisonName & { readonly row: number },
  context: Told,
): Promise<RegionPlace | undefined> {
  return (await named(asked, context)).compared.place(asked, asked.row);
}

/** Writes what `kymo compare --json` prints, or the rows as a table. @throws KymoError `write-failed` */
export async function saveComparison(
  asked: ComparisonName & {
    readonly format: (typeof savedComparisonFormats)[number];
    readonly file: string;
  },
  context: Told,
): Promise<void> {
  const { inputs, compared, header } = await named(asked, context);
  const { phase } = asked.question;
  const { metric, sensitivity, isRelative } = asked.settings;
  if (asked.format === 'json') {
    const steps = compareTraceInputs(inputs, { metric, sensitivity, isRelative, ...present({ phase }) });
    const report = await inTurns(steps, 'Comparing traces', context);
    await writeFileAtomically(asked.file, `${JSON.stringify(report, undefined, 2)}\n`);
    return;
  }
  const table = [rowsCsvHead(header.views.map(({ name }) => name))];
  for (let first = 0; first < compared.total(asked); first += writtenRows) {
    table.push(rowsCsv(compared.rows(asked, first, writtenRows)));
    await turn(context);
  }
  await writeFileAtomically(asked.file, table.join(''));
}

async function named({ question, id, settings, view }: ComparisonName, context: Told): Promise<Made> {
  const all = await made(question, context);
  const { header } = all;
  if (header.id !== id)
    throw new KymoError(
      'comparison-changed',
      'The traces have changed since they were opened. Compare them again.',
    );
  if (!header.metrics.includes(settings.metric))
    throw new KymoError(
      'no-such-metric',
      `Not all traces have “${settings.metric}”. They have: ${header.metrics.join(', ')}.`,
    );
  if (view !== undefined && header.views[view] === undefined)
    throw new KymoError('usage', `There is no view ${view + 1}, but ${header.views.length}.`);
  return all;
}

async function made(question: ComparisonQuestion, context: Told): Promise<Made> {
  const { paths, parts, phase } = question;
  if (paths.length < fewestViews || paths.length > mostViews)
    throw new KymoError('usage', `Two to four traces are compared, not ${paths.length}.`);
  const identities = await Promise.all(paths.map(identity));
  const key = JSON.stringify([paths, parts, phase, identities]);
  return recent.get(key, (shared) => make(question, key, { ...context, ...shared }), context);
}

async function identity(file: string): Promise<string> {
  try {
    return await contentIdentity(file);
  } catch (cause) {
    throw new KymoError(
      'trace-missing',
      `${file} cannot be read: it was deleted or moved. Choose another trace.`,
      { file },
      { cause },
    );
  }
}

async function make(question: ComparisonQuestion, key: string, context: Told): Promise<Made> {
  const inputs = await withRecorded(inputsOf(question));
  context.progress.report({ message: 'Reading traces' });
  await turn(context);
  const read = readTraces(inputs, question.phase);
  const { views } = read;
  const compared = new ComparedTraces(views, read.table);
  const isRelative = views.some(({ traces }) => processesOf(traces) > 1);
  await inTurns(compared.reading(isRelative), 'Comparing traces', context);
  const frequencies = compared.frequencies(isRelative);
  const metrics = commonMetrics(frequencies);
  const metric = metrics.includes('instructions') ? 'instructions' : 'time';
  const notes = compared.notes({ metric, sensitivity: 0.05, isRelative });
  const header: ComparisonHeader = {
    id: createHash('sha256').update(key).digest('hex').slice(0, 16),
    views: views.map((view, position) => viewOf(view, at(frequencies, position))),
    metrics,
    sizeUnit: at(frequencies, 0).sizeUnit,
    depth: Math.max(...frequencies.map(depthOf)),
    notes: [...read.notes(), ...notes],
  };
  return { header, inputs, compared };
}

function inputsOf({ paths, parts = [] }: ComparisonQuestion): readonly TraceInput[] {
  return paths.map((given, position) => {
    const { rank, iterations } = parts[position] ?? {};
    return {
      given,
      name: nameOf(given),
      part: {
        ...(rank === undefined ? {} : { ranks: [[rank, rank]] as const }),
        ...present({ iterations }),
      },
    };
  });
}

/** Archives are all named alike: their folder tells them apart. */
function nameOf(given: string): string {
  const { name, dir } = path.parse(path.resolve(given));
  return name === 'traces' ? path.basename(dir) : name;
}

function viewOf({ name, iterations, ranks }: ReadView, { count, seconds }: CallTrace): ComparedView {
  return { ...{ name, iterations, ranks }, entries: sumOf(count), seconds: sumOf(seconds) };
}
