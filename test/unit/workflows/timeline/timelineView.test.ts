import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../../../src/core/progress';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import {
  noFunction,
  type TimelineCall,
  type TimelineHeader,
  type TimelineSpans,
} from '../../../../src/core/timeline/pieces';
import {
  openTimeline,
  timelineFind,
  timelineFunction,
  timelineMessages,
  timelineProfile,
  timelineSpans,
  timelineStack,
} from '../../../../src/workflows/views/timelineView';
import { functionCount, madeTrace, type MadeOptions, type NaiveTrace } from './madeTrace';

const root = mkdtempSync(path.join(tmpdir(), 'kymo-timeline-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const context = { progress: silent };

const kinds: readonly (readonly [string, MadeOptions])[] = [
  ['a sound trace', { events: 40_000 }],
  ['a damaged trace', { isDamaged: true }],
  ['a trace of a machine of the other byte order', { bigEndian: true, chunkBytes: 300, rows: 2 }],
  ['a short trace', { events: 60, rows: 4 }],
];

describe.each(kinds)('%s', (title, options) => {
  const folder = path.join(root, title);
  const file = path.join(folder, 'traces.otf2');
  const random = randomNumbers(17);
  let trace: NaiveTrace;
  let header: TimelineHeader;
  let name: { readonly file: string; readonly id: string };

  beforeAll(async () => {
    trace = madeTrace(folder, 5, options);
    ({ header } = await openTimeline({ file }, context));
    name = { file, id: header.id };
  });

  /** Of any size: from the whole trace to less than a tick. */
  function window(finest = 6): { from: number; to: number; firstRow: number; rowCount: number } {
    const length = trace.seconds * 10 ** (-random() * finest);
    const from = random() * (trace.seconds - length);
    const firstRow = Math.floor(random() * trace.rows.length);
    const rowCount = 1 + Math.floor(random() * (trace.rows.length - firstRow));
    return { from, to: from + length, firstRow, rowCount };
  }

  it('has what it has', () => {
    expect(header.seconds).toBeCloseTo(trace.seconds, 9);
    expect(header.rows.map(({ name: row }) => row)).toEqual(trace.rows.map((_, row) => `rank ${row}`));
    expect(header.rows.map(({ events }) => events)).toEqual(trace.rows.map(({ events }) => events));
    expect(header.messages).toBe(trace.messages.length);
    expect(header.depth).toBe(
      Math.max(...trace.rows.flatMap(({ calls }) => calls.map(({ depth }) => depth + 1))),
    );
    expect(header.functions.map((each) => each.name).slice(0, functionCount - 1)).toEqual(
      Array.from({ length: functionCount - 1 }, (_, id) => `function ${id}`),
    );
    expect(header.functions.at(-1)?.name).toBe('region 99');
    expect(header.functions[0]?.paradigm).toBe('MPI');
  });

  it('has the profile of any range', async () => {
    const ranges = Array.from({ length: 25 }, () => window());
    const whole = { from: 0, to: header.seconds, firstRow: 0, rowCount: trace.rows.length };
    for (const range of [whole, ...ranges]) {
      const found = await timelineProfile({ ...name, ...range }, context);
      const naive = naiveProfile(trace, range);
      expect(found.rows.map(({ function: which, visits }) => [which, visits])).toEqual(
        naive.map(({ which, visits }) => [which, visits]),
      );
      for (const [at, { exclusive, inclusive }] of naive.entries()) {
        requireClose(found.rows[at]?.exclusiveSeconds, exclusive, header.seconds);
        requireClose(found.rows[at]?.inclusiveSeconds, inclusive, header.seconds);
      }
      const within = naiveMessages(trace, range);
      expect(found.messages.count).toBe(within.length);
      expect(found.messages.bytes).toBe(within.reduce((sum, { bytes }) => sum + bytes, 0));
      expect(found.seconds).toBeCloseTo((range.to - range.from) * range.rowCount, 6);
    }
  });

  it('has all messages of a range, or the longest', async () => {
    for (let turn = 0; turn < 25; turn++) {
      const range = window(3);
      const naive = naiveMessages(trace, range);
      const all = await timelineMessages({ ...name, ...range, most: 100_000 }, context);
      expect(all.total).toBe(naive.length);
      const told = Array.from(all.sent, (sent, at) => ({
        sender: all.sender[at],
        receiver: all.receiver[at],
        sent,
        received: all.received[at],
        bytes: all.bytes[at],
        tag: all.tag[at],
      }));
      expect(new Set(told.map((each) => JSON.stringify(each)))).toEqual(
        new Set(naive.map((each) => JSON.stringify(each))),
      );
      expect(told.map(({ sent }) => sent)).toEqual([...all.sent].sort((a, b) => a - b));
      const some = await timelineMessages({ ...name, ...range, most: 10 }, context);
      expect(some.total).toBe(naive.length);
      expect(some.sent.length).toBe(Math.min(10, naive.length));
      const longest = Math.max(...naive.map(({ sent, received }) => received - sent));
      if (naive.length > 0) {
        // Of each part of the time the longest: the longest of all is there where there are at most ten parts.
        const parts = new Set(
          naive.map(({ sent }) => Math.floor(((sent - range.from) / (range.to - range.from)) * 64)),
        );
        const shown = Math.max(...Array.from(some.sent, (sent, at) => (some.received[at] ?? 0) - sent));
        if (parts.size <= 10) expect(shown).toBeCloseTo(longest, 9);
      }
    }
  });

  it('finds the next and the last call of a function', async () => {
    const longest = trace.rows
      .flatMap(({ calls }, row) => calls.map((call) => ({ row, call })))
      .sort((one, other) => other.call.end - other.call.begin - (one.call.end - one.call.begin));
    for (let turn = 0; turn < 80; turn++) {
      const isBackwards = turn % 2 === 0;
      // Calls over many blocks end far away; others are looked for from their begin exactly, or from anywhere.
      const long = turn % 4 < 2 ? longest[turn >> 1] : undefined;
      const which = long?.call.function ?? Math.floor(random() * functionCount);
      const row = long?.row ?? Math.floor(random() * trace.rows.length);
      const calls = trace.rows.map(({ calls: all }) => all.filter((call) => call.function === which));
      const some = calls[row]?.[Math.floor(random() * calls[row].length)];
      const beside = (long?.call.begin ?? 0) + (isBackwards ? 0.0005 : -0.0005);
      const anywhere = turn % 3 === 0 && some !== undefined ? some.begin : random() * trace.seconds;
      const seconds = long === undefined ? anywhere : beside;
      const expected = naiveFind(calls, row, seconds, isBackwards);
      const question = { ...name, function: which, row, seconds, isBackwards };
      const { call } = await timelineFind(question, context);
      requireCall(call, expected);
    }
  });

  it('paints in each pixel the function with the most time', async () => {
    let exact = 0;
    let all = 0;
    let good = 0;
    for (let turn = 0; turn < 60; turn++) {
      const range = window();
      const pixels = 1 + Math.floor(random() * 60);
      const spans = await timelineSpans({ ...name, ...range, pixels }, context);
      expect(spans.first.length).toBe(range.rowCount + 1);
      for (let row = 0; row < range.rowCount; row++) {
        const pieces = trace.rows[range.firstRow + row]?.pieces ?? [];
        requireContiguous(spans, row, range);
        requireExactSpans(spans, row, (from, to, which) => naiveTime(pieces, from, to, which), range, pixels);
        const pixel = (range.to - range.from) / pixels;
        for (let at = 0; at < pixels; at++) {
          const from = range.from + at * pixel;
          const shown = mostOf(spans, row, from, from + pixel);
          const times = Array.from({ length: functionCount + 1 }, (_, which) =>
            naiveTime(pieces, from, from + pixel, which - 1),
          );
          const most = Math.max(...times);
          const own = times[shown + 1] ?? 0;
          all++;
          if (own >= most * 0.5) good++;
          if (own >= most - pixel * 1e-6 - 1e-12) exact++;
        }
      }
    }
    // A pixel of many events is painted by bins, which hide what is short; of few, by the events themselves.
    expect(exact / all).toBeGreaterThan(0.9);
    expect(good / all).toBeGreaterThan(0.97);
  });

  it('paints exactly where it decodes events', async () => {
    for (let turn = 0; turn < 60; turn++) {
      const row = Math.floor(random() * trace.rows.length);
      const pieces = trace.rows[row]?.pieces ?? [];
      const middle = pieces[Math.floor(random() * pieces.length)];
      if (middle === undefined) continue;
      // A hundredth of the time of any block.
      const length = (middle.end - middle.begin) * (0.2 + random() * 4);
      const from = middle.begin - random() * length;
      const range = { firstRow: row, rowCount: 1, from, to: from + length };
      const pixels = 1 + Math.floor(random() * 40);
      if (length > shortestBlock(pieces) / 300) continue;
      const spans = await timelineSpans({ ...name, ...range, pixels }, context);
      const pixel = length / pixels;
      for (let at = 0; at < pixels; at++) {
        const begin = from + at * pixel;
        // One of those that are painted there: the ends of long spans may be in the pixel, too.
        const shown = paintedIn(spans, 0, begin + pixel * 1e-6, begin + pixel * (1 - 1e-6));
        const times = Array.from({ length: functionCount + 1 }, (_, which) =>
          outside(pieces, begin, begin + pixel, which - 1),
        );
        const painted = Math.max(...[...shown.keys()].map((which) => times[which + 1] ?? 0));
        expect(painted).toBeGreaterThanOrEqual(Math.max(...times) - pixel * 1e-6);
      }
    }
  });

  it('shows the call stack', async () => {
    let all = 0;
    let good = 0;
    for (let turn = 0; turn < 60; turn++) {
      const range = { ...window(), rowCount: header.depth };
      const pixels = 1 + Math.floor(random() * 60);
      const calls = trace.rows[range.firstRow]?.calls ?? [];
      const spans = await timelineStack({ ...name, ...range, pixels }, context);
      expect(spans.first.length).toBe(header.depth + 1);
      const pixel = (range.to - range.from) / pixels;
      for (let depth = 0; depth < header.depth; depth++) {
        requireContiguous(spans, depth, range);
        const counted = requireCalls(spans, depth, range, pixel, calls);
        all += counted.all;
        good += counted.good;
      }
    }
    if (all > 0) expect(good / all).toBeGreaterThan(0.95);
  });

  it('knows where a function is', async () => {
    expect(await timelineFunction({ ...name, function: 3 }, context)).toEqual({
      name: 'function 3',
      file: '/src/main.c',
      line: 4,
    });
    await expect(timelineFunction({ ...name, function: 500 }, context)).rejects.toMatchObject({
      reason: 'no-such-function',
    });
  });
});

function requireCall(found: TimelineCall | undefined, expected: ReturnType<typeof naiveFind>): void {
  expect(found?.row).toBe(expected?.row);
  if (found === undefined || expected === undefined) return;
  expect(found.begin).toBeCloseTo(expected.call.begin, 9);
  expect(found.end).toBeCloseTo(expected.call.end, 9);
}

/** @param calls of the function, by row */
function naiveFind(
  calls: readonly NaiveTrace['rows'][number]['calls'][],
  row: number,
  seconds: number,
  isBackwards: boolean,
): { readonly row: number; readonly call: { readonly begin: number; readonly end: number } } | undefined {
  const all = calls.flatMap((list, at) => list.map((call) => ({ row: at, call })));
  return isBackwards
    ? all.findLast(({ row: at, call }) => at < row || (at === row && call.begin < seconds))
    : all.find(({ row: at, call }) => at > row || (at === row && call.begin > seconds));
}

/** Spans of several pixels are one call each, unless all of its calls are shorter than a few pixels. @returns spans, and those in which the function was all the time */
function requireCalls(
  spans: TimelineSpans,
  depth: number,
  range: Range,
  pixel: number,
  calls: NaiveTrace['rows'][number]['calls'],
): { readonly all: number; readonly good: number } {
  let [all, good] = [0, 0];
  const here = calls.filter((call) => call.depth === depth);
  for (let span = spans.first[depth] ?? 0; span < (spans.first[depth + 1] ?? 0); span++) {
    const [begin = 0, end = 0, which = 0] = [spans.begin[span], spans.end[span], spans.functions[span]];
    if (which === noFunction || end - begin < 2 * pixel || (spans.share[span] ?? 0) < 0.999) continue;
    const inside = here.filter((call) => call.function === which);
    all++;
    if (inside.reduce((sum, call) => sum + overlap(call, begin, end), 0) >= (end - begin) * 0.98) good++;
    const long = inside.filter((call) => overlap(call, begin, end) > 4.001 * pixel);
    expect(long.length, `depth ${depth}`).toBeLessThanOrEqual(1);
    const [call] = long;
    if (call === undefined || overlap(call, begin, end) < (end - begin) * 0.999) continue;
    expect(Math.abs(Math.max(range.from, call.begin) - begin)).toBeLessThan(pixel * 0.01 + 1e-9);
    expect(Math.abs(Math.min(range.to, call.end) - end)).toBeLessThan(pixel * 0.01 + 1e-9);
  }
  return { all, good };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly rowCount: number;
}

function overlap({ begin, end }: { begin: number; end: number }, from: number, to: number): number {
  return Math.max(0, Math.min(end, to) - Math.max(begin, from));
}

function requireClose(found: number | undefined, expected: number, seconds: number): void {
  // Sums of rounded seconds.
  expect(Math.abs((found ?? NaN) - expected)).toBeLessThanOrEqual(seconds * 1e-12);
}

type Pieces = NaiveTrace['rows'][number]['pieces'];

function naiveTime(pieces: Pieces, from: number, to: number, which: number): number {
  let sum = 0;
  for (let at = firstAfter(pieces, from); at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === undefined || piece.begin >= to) break;
    if (piece.function === which) sum += overlap(piece, from, to);
  }
  return sum;
}

/** The first piece that ends after a time. */
function firstAfter(pieces: Pieces, time: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.end ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As `naiveTime`; what is outside of the row is time without a function. */
function outside(pieces: Pieces, from: number, to: number, which: number): number {
  const own = naiveTime(pieces, from, to, which);
  if (which >= 0) return own;
  const first = pieces[0]?.begin ?? to;
  const last = pieces.at(-1)?.end ?? from;
  return own + to - from - overlap({ begin: first, end: last }, from, to);
}

/** Seconds of the block of 2048 events with the least of them, about. */
function shortestBlock(pieces: Pieces): number {
  let least = Infinity;
  for (let at = 0; at + 1500 < pieces.length; at += 100)
    least = Math.min(least, (pieces[at + 1500]?.begin ?? 0) - (pieces[at]?.begin ?? 0));
  return least;
}

/** The function that most of a stretch is painted in: −1 for none. */
function mostOf(spans: TimelineSpans, row: number, from: number, to: number): number {
  const painted = [...paintedIn(spans, row, from, to)];
  return painted.reduce((best, each) => (each[1] > best[1] ? each : best), [-1, 0])[0];
}

/** The functions that a stretch is painted in, with their seconds. */
function paintedIn(spans: TimelineSpans, row: number, from: number, to: number): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (let span = spans.first[row] ?? 0; span < (spans.first[row + 1] ?? 0); span++) {
    const which = spans.functions[span] ?? noFunction;
    const time = overlap({ begin: spans.begin[span] ?? 0, end: spans.end[span] ?? 0 }, from, to);
    const slot = which === noFunction ? -1 : which;
    if (time > 0) times.set(slot, (times.get(slot) ?? 0) + time);
  }
  return times;
}

/** Spans follow each other from one end of the window to the other. */
function requireContiguous(spans: TimelineSpans, row: number, { from, to }: Range): void {
  const first = spans.first[row] ?? 0;
  const last = (spans.first[row + 1] ?? 0) - 1;
  expect(spans.begin[first]).toBeCloseTo(from, 6);
  expect(spans.end[last]).toBeCloseTo(to, 6);
  for (let span = first; span <= last; span++) {
    expect(spans.end[span]).toBeGreaterThanOrEqual(spans.begin[span] ?? 0);
    if (span > first) expect(spans.begin[span]).toBeCloseTo(spans.end[span - 1] ?? NaN, 9);
  }
}

/** A span of more than two pixels in which nothing else is hidden is one of the function, and not longer. */
function requireExactSpans(
  spans: TimelineSpans,
  row: number,
  time: (from: number, to: number, which: number) => number,
  { from, to }: Range,
  pixels: number,
): void {
  const pixel = (to - from) / pixels;
  for (let span = spans.first[row] ?? 0; span < (spans.first[row + 1] ?? 0); span++) {
    const [begin = 0, end = 0] = [spans.begin[span], spans.end[span]];
    if (spans.share[span] !== 1 || end - begin < 2 * pixel) continue;
    const which = spans.functions[span] ?? 0;
    if (which === noFunction) continue;
    expect(time(begin, end, which)).toBeGreaterThan((end - begin) * 0.999);
  }
}

function naiveProfile(
  trace: NaiveTrace,
  { from, to, firstRow, rowCount }: Range,
): { which: number; visits: number; exclusive: number; inclusive: number }[] {
  const last = to >= trace.seconds ? Infinity : to;
  const rows = trace.rows.slice(firstRow, firstRow + rowCount);
  const result = [];
  for (let which = 0; which < functionCount; which++) {
    let visits = 0;
    let exclusive = 0;
    let inclusive = 0;
    for (const { calls, pieces } of rows) {
      exclusive += naiveTime(pieces, from, to, which);
      let covered = -Infinity;
      for (const call of calls) {
        if (call.function !== which) continue;
        if (call.begin >= from && call.begin < last) visits++;
        // Calls come in the order of their begins: those within one of the same function are its time already.
        inclusive += overlap({ begin: Math.max(covered, call.begin), end: call.end }, from, to);
        covered = Math.max(covered, call.end);
      }
    }
    if (visits > 0 || inclusive > 0) result.push({ which, visits, exclusive, inclusive });
  }
  return result;
}

function naiveMessages(trace: NaiveTrace, { from, to, firstRow, rowCount }: Range): NaiveTrace['messages'] {
  const last = to >= trace.seconds ? Infinity : to;
  const has = (row: number, time: number): boolean =>
    row >= firstRow && row < firstRow + rowCount && time >= from && time < last;
  return trace.messages.filter(
    ({ sender, receiver, sent, received }) => has(sender, sent) || has(receiver, received),
  );
}
