import path from 'node:path';
import { isKymoError, KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import type { RegionPlace } from '../../core/profile/place';
import { findCall } from '../../core/timeline/answers/find';
import { countMessages, messagesOf } from '../../core/timeline/answers/messages';
import { profileRows } from '../../core/timeline/answers/profile';
import { spansOf } from '../../core/timeline/answers/spans';
import { stackOf } from '../../core/timeline/answers/stack';
import type { TickWindow, Turn } from '../../core/timeline/answers/trace';
import { ticksOf } from '../../core/timeline/paint/spanList';
import type {
  TimelineCall,
  TimelineHeader,
  TimelineMessages,
  TimelineProfile,
  TimelineSpans,
  TimelineStack,
  TimelineWindow,
} from '../../core/timeline/pieces';
import { RecentResults } from '../opened/recentResults';
import { turn, type Cancellable } from '../running/turn';
import { changed, openTrace, traceId, type OpenedTrace } from '../timeline/openedTrace';

export interface TimelineQuestion {
  /** `traces.otf2` */
  readonly file: string;
}

/** Id of the opened trace; if it has changed, the request fails (`trace-changed`). */
export interface TimelineName extends TimelineQuestion {
  readonly id: string;
}

export interface OpenedTimeline {
  readonly header: TimelineHeader;
  /** Name of the trace: its folder, where the file has the usual name. */
  readonly title: string;
}

interface TimelineContext extends Cancellable {
  readonly progress: ProgressSink;
}

type Range = Omit<TimelineWindow, 'pixels'>;

/** Of one answer, so that it stays of bounded size, however it is asked. */
const mostRows = 4_096;
const mostPixels = 16_384;
const mostMessages = 100_000;
/** Milliseconds of work until a cancellation is noticed. */
const patience = 20;

const recent = new RecentResults<OpenedTrace>(1, (trace) => trace.close());

/**
 * Opens a trace; its index is made if there is none of its files as they are.
 * @throws KymoError of `openOtf2`; `file-missing`, `file-unusable`, `disk-full`, `write-failed`
 */
export async function openTimeline(
  { file }: TimelineQuestion,
  context: TimelineContext,
): Promise<OpenedTimeline> {
  const id = traceId(file);
  let trace = await opened(file, id, context);
  if (!(await trace.isOfTheseFiles(context))) {
    recent.forgetAll();
    trace = await opened(file, id, context);
  }
  const header = trace.header();
  await warmUp(trace, header, context);
  return { header, title: titleOf(file) };
}

/** A trace with fewer events is painted at once anyway. */
const manyEvents = 1e6;
let isWarm = false;

/** Paints pictures that nobody sees, once: the code is compiled then, and the user's first zooms take no longer than later ones. */
async function warmUp(trace: OpenedTrace, header: TimelineHeader, context: Cancellable): Promise<void> {
  if (isWarm || header.events < manyEvents) return;
  isWarm = true;
  const { origin, ticksPerSecond } = trace.scale;
  for (const part of [2, 4, 16, 64]) {
    const to = origin + (header.seconds * ticksPerSecond) / part;
    const window = {
      firstRow: 0,
      rowCount: Math.min(64, header.rows.length),
      from: origin,
      to,
      pixels: 1600,
    };
    await spansOf(trace, window, turns(context));
  }
}

function titleOf(file: string): string {
  const name = path.basename(file);
  return name === 'traces.otf2' ? path.basename(path.dirname(path.resolve(file))) : name;
}

/** In each pixel of each row the function with the most exclusive time. */
export async function timelineSpans(
  question: TimelineName & TimelineWindow,
  context: TimelineContext,
): Promise<TimelineSpans> {
  return asked(question, context, (trace, turns) => spansOf(trace, windowOf(question, trace), turns));
}

/** The call stack of one row. */
export async function timelineStack(
  question: TimelineName & TimelineWindow,
  context: TimelineContext,
): Promise<TimelineStack> {
  return asked(question, context, (trace, turns) =>
    stackOf(
      trace,
      { ...windowOf({ ...question, rowCount: 1 }, trace), rowCount: limited(question.rowCount, mostRows) },
      turns,
    ),
  );
}

/** Messages with an end in the window. */
export async function timelineMessages(
  question: TimelineName & Range & { readonly most: number },
  context: TimelineContext,
): Promise<TimelineMessages> {
  const most = limited(question.most, mostMessages);
  return asked(question, context, (trace, turns) =>
    messagesOf(trace, trace.messages, { ...rangeOf(question, trace), most }, turns),
  );
}

/** The profile of a range of rows and time. */
export async function timelineProfile(
  question: TimelineName & Range,
  context: TimelineContext,
): Promise<TimelineProfile> {
  return asked(question, context, async (trace, turns) => {
    const range = rangeOf(question, trace);
    const rows = await profileRows(trace, range, turns);
    const messages = await countMessages(trace, trace.messages, range, turns);
    const { ticksPerSecond } = trace.scale;
    return { rows, seconds: ((range.to - range.from) / ticksPerSecond) * range.rowCount, messages };
  });
}

/** The next call of a function, or the one before. */
export async function timelineFind(
  question: TimelineName & {
    readonly function: number;
    readonly row: number;
    readonly seconds: number;
    readonly isBackwards: boolean;
  },
  context: TimelineContext,
): Promise<{ readonly call?: TimelineCall }> {
  return asked(question, context, async (trace, turns) => {
    const after = ticksOf(question.seconds, trace.scale);
    const call = await findCall(trace, { ...question, after }, turns);
    return call === undefined ? {} : { call };
  });
}

/** Where a function is in the source. @throws KymoError `no-such-function` */
export async function timelineFunction(
  question: TimelineName & { readonly function: number },
  context: TimelineContext,
): Promise<RegionPlace> {
  return asked(question, context, (trace) => {
    const place = trace.functions[question.function]?.place;
    if (place !== undefined) return Promise.resolve(place);
    throw new KymoError('no-such-function', 'The trace does not have this function. Open it again.');
  });
}

async function asked<Answer>(
  { file, id }: TimelineName,
  context: TimelineContext,
  answer: (trace: OpenedTrace, turns: Turn) => Promise<Answer>,
): Promise<Answer> {
  // Before the trace is opened again for it: that may take minutes.
  if (traceId(file) !== id) throw changed(file);
  const trace = await opened(file, id, context);
  try {
    return await answer(trace, turns(context));
  } catch (error) {
    if (isKymoError(error) && error.reason === 'invalid-trace-index') {
      trace.discardIndex();
      recent.forgetAll();
    }
    throw error;
  }
}

function opened(file: string, id: string, context: TimelineContext): Promise<OpenedTrace> {
  const { progress } = context;
  return recent.get(`${file}\n${id}`, (shared) => openTrace(file, { progress, ...shared }), context);
}

function turns(context: Cancellable): Turn {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < patience) return;
    await turn(context);
    last = performance.now();
  };
}

function limited(value: number, most: number): number {
  return Math.max(0, Math.min(most, Math.floor(value) || 0));
}

/** What is there of a range, in ticks. */
function rangeOf(
  { firstRow, rowCount, from, to }: Range,
  { rowCount: rows, scale, end }: OpenedTrace,
): Omit<TickWindow, 'pixels'> {
  const first = limited(firstRow, rows);
  const inside = (seconds: number): number =>
    Math.max(scale.origin, Math.min(end, ticksOf(seconds, scale))) || scale.origin;
  return { firstRow: first, rowCount: limited(rowCount, rows - first), from: inside(from), to: inside(to) };
}

/** A window may begin before the trace and end behind it: nothing is recorded there. */
function windowOf(question: TimelineWindow, trace: OpenedTrace): TickWindow {
  const { firstRow, rowCount } = rangeOf(question, trace);
  const { origin, ticksPerSecond } = trace.scale;
  const [from, to] = [origin + question.from * ticksPerSecond, origin + question.to * ticksPerSecond];
  const pixels = limited(question.pixels, mostPixels);
  // Less than the numbers can tell apart is no range.
  if (!(from + (to - from) / pixels > from && to - from < Infinity))
    throw new KymoError('usage', 'A window of a timeline needs a range of time, and at least one pixel.');
  return { firstRow, rowCount: Math.min(mostRows, rowCount), from, to, pixels };
}
