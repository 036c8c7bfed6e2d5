import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isKymoError } from '../../../../src/core/errors';
import { silent } from '../../../../src/core/progress';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { TimelineHeader } from '../../../../src/core/timeline/pieces';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import {
  openTimeline,
  timelineFind,
  timelineMessages,
  timelineProfile,
  timelineSpans,
  timelineStack,
} from '../../../../src/workflows/views/timelineView';
import { madeTrace } from './madeTrace';

const root = mkdtempSync(path.join(tmpdir(), 'kymo-bad-traces-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const context = { progress: silent };

let count = 0;

/** A trace of its own. */
function trace(options: Parameters<typeof madeTrace>[2] = { events: 3000 }): {
  readonly file: string;
  readonly naive: ReturnType<typeof madeTrace>;
  readonly index: string;
} {
  const folder = path.join(root, `trace ${count++}`);
  const naive = madeTrace(folder, count, options);
  return {
    file: path.join(folder, 'traces.otf2'),
    naive,
    index: path.join(folder, '.kymo/traces.otf2.timeline'),
  };
}

const open = async (file: string): Promise<TimelineHeader> => (await openTimeline({ file }, context)).header;

/** Everything that can be asked. */
async function askAll(
  file: string,
  { id, seconds, rows, depth, functions }: TimelineHeader,
): Promise<string> {
  const name = { file, id };
  const answers: unknown[] = [];
  for (const [from, to] of [
    [0, Math.max(seconds, 1e-3)],
    [seconds * 0.4, seconds * 0.401 + 1e-9],
  ] as const) {
    const range = { ...name, firstRow: 0, rowCount: rows.length, from, to };
    answers.push(await timelineSpans({ ...range, pixels: 50 }, context));
    answers.push(await timelineStack({ ...range, rowCount: Math.min(depth, 50), pixels: 50 }, context));
    answers.push(await timelineProfile(range, context));
    answers.push(await timelineMessages({ ...range, most: 100 }, context));
  }
  for (const isBackwards of [false, true])
    answers.push(
      await timelineFind(
        { ...name, function: functions.length - 1, row: 0, seconds: seconds / 2, isBackwards },
        context,
      ),
    );
  return JSON.stringify(answers);
}

describe('the index of a trace', () => {
  it('gives the same answers when it was read from disk', async () => {
    const { file, index } = trace({ events: 12_000 });
    const header = await open(file);
    const answers = await askAll(file, header);
    expect(existsSync(index)).toBe(true);
    expect(readdirSync(path.dirname(index))).toEqual(['traces.otf2.timeline']);
    const before = readFileSync(index);
    // Another trace takes its place in memory.
    await open(trace({ events: 10 }).file);
    const progress: string[] = [];
    const again = await openTimeline(
      { file },
      { progress: { report: ({ message }) => progress.push(message), log: () => undefined } },
    );
    expect(again.header).toEqual(header);
    expect(progress).toEqual([]);
    expect(await askAll(file, header)).toBe(answers);
    expect(readFileSync(index).equals(before)).toBe(true);
  });

  it('reports progress up to the end, and can be cancelled', async () => {
    const { file, index } = trace({ events: 12_000 });
    const abort = new AbortController();
    const cancelled = openTimeline(
      { file },
      {
        progress: { report: () => abort.abort(), log: () => undefined },
        signal: abort.signal,
      },
    );
    await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
    expect(existsSync(index)).toBe(false);
    const fractions: number[] = [];
    await openTimeline(
      { file },
      { progress: { report: ({ fraction }) => fractions.push(fraction ?? NaN), log: () => undefined } },
    );
    expect(fractions.length).toBeGreaterThan(3);
    expect(fractions).toEqual([...fractions].sort((one, other) => one - other));
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
    expect(readdirSync(path.dirname(index))).toEqual(['traces.otf2.timeline']);
  });

  it('is made anew when a file of the trace has changed', async () => {
    const { file, index } = trace();
    await open(file);
    const before = readFileSync(index);
    const events = path.join(path.dirname(file), 'traces/1.evt');
    truncateSync(events, 20_000);
    // What was opened is as it was until it is opened again.
    await open(trace({ events: 10 }).file);
    const header = await open(file);
    expect(header.notes.join()).toContain('1.evt');
    expect(readFileSync(index).equals(before)).toBe(false);
    utimesSync(file, 1, 1);
    const other = await open(file);
    expect(other.id).not.toBe(header.id);
    await expect(
      timelineProfile({ file, id: header.id, firstRow: 0, rowCount: 1, from: 0, to: 1 }, context),
    ).rejects.toMatchObject({ reason: 'trace-changed' });
  });

  it('is in no folder that is a link', async () => {
    const { file } = trace();
    const elsewhere = path.join(root, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.join(path.dirname(file), '.kymo'));
    const header = await open(file);
    expect(header.notes[0]).toMatch(/cannot be stored.*symbolic link/);
    expect(readdirSync(elsewhere)).toEqual([]);
    await askAll(file, header);
  });

  it('is not kept where there is no room for it', async () => {
    const { file } = trace();
    writeFileSync(path.join(path.dirname(file), '.kymo'), 'a file');
    const header = await open(file);
    expect(header.notes[0]).toContain('cannot be stored');
    await askAll(file, header);
  });

  it('may be damaged anywhere', async () => {
    const { file, index } = trace({ events: 6000 });
    const header = await open(file);
    const answers = await askAll(file, header);
    const sound = readFileSync(index);
    const random = randomNumbers(3);
    const anew = trace({ events: 10 });
    for (let turn = 0; turn < 60; turn++) {
      const bytes = Buffer.from(sound);
      if (turn % 4 === 0) writeFileSync(index, bytes.subarray(0, Math.floor(random() * bytes.length)));
      else {
        for (let damage = 0; damage < 1 + (turn % 20); damage++)
          bytes[Math.floor(random() * bytes.length)] = [0, 255, 127, 1][Math.floor(random() * 4)] ?? 0;
        writeFileSync(index, bytes);
      }
      await open(anew.file);
      const damaged = await open(file);
      // An error that says what to do, or an answer, which may be wrong.
      await askAll(file, damaged).catch((error: unknown) => {
        if (!isKymoError(error)) throw error;
        expect(error.reason).toBe('invalid-trace-index');
      });
    }
    // A cut one is made anew at once, one whose damage was met when it is opened again.
    writeFileSync(index, sound.subarray(0, 1000));
    await open(anew.file);
    expect(await askAll(file, await open(file))).toBe(answers);
    expect(readFileSync(index).equals(sound)).toBe(true);
  });

  it('that was found to be damaged is made anew', async () => {
    const { file, index } = trace({ events: 6000 });
    const header = await open(file);
    const sound = readFileSync(index);
    // All that stands before the directory.
    const damaged = Buffer.from(sound);
    damaged.fill(255, 16, sound.length - 1000);
    writeFileSync(index, damaged);
    await open(trace({ events: 10 }).file);
    await open(file);
    await expect(askAll(file, header)).rejects.toMatchObject({ reason: 'invalid-trace-index' });
    expect(existsSync(index)).toBe(false);
    await askAll(file, await open(file));
    expect(readFileSync(index).equals(sound)).toBe(true);
  });
});

describe('a trace', () => {
  it('that was cut off is shown up to there', async () => {
    const { file, naive } = trace();
    const whole = await open(file);
    truncateSync(path.join(path.dirname(file), 'traces/1.evt'), 15_000);
    const header = await open(file);
    expect(header.rows[1]?.events).toBeGreaterThan(500);
    expect(header.rows[1]?.events).toBeLessThan(naive.rows[1]?.events ?? 0);
    expect(header.rows[0]).toEqual(whole.rows[0]);
    expect(header.notes.join()).toMatch(/1\.evt.*The events before it are there/);
    expect(header.notes.join()).toMatch(/Messages whose .* is not in the trace are not shown: \d+/);
    await askAll(file, header);
  });

  it('that lacks the events of a rank has an empty row', async () => {
    const { file } = trace();
    const whole = await open(file);
    rmSync(path.join(path.dirname(file), 'traces/0.evt'));
    const header = await open(file);
    expect(header.rows.map(({ name }) => name)).toEqual(whole.rows.map(({ name }) => name));
    expect(header.rows[0]?.events).toBe(0);
    expect(header.notes.join()).toContain('0.evt is missing');
    const spans = await timelineSpans(
      { file, id: header.id, firstRow: 0, rowCount: 1, from: 0, to: header.seconds, pixels: 10 },
      context,
    );
    expect([...spans.functions]).toEqual([0xffff_ffff]);
    await askAll(file, header);
  });

  it('tells of unmatched enters and leaves, and of times that go backwards', async () => {
    const { file } = trace({ isDamaged: true, events: 3000 });
    const { notes } = await open(file);
    expect(notes.join('\n')).toMatch(
      /Leaves of functions that were not entered in the trace are ignored: \d+/,
    );
    expect(notes.join('\n')).toMatch(/Calls whose end is not in the trace end with their callers: \d+/);
    expect(notes.join('\n')).toContain('earlier than the one before');
  });

  it('without events has rows and nothing in them', async () => {
    const { file } = trace({ events: 0, rows: 2 });
    const header = await open(file);
    expect(header).toMatchObject({ seconds: 0, events: 0, messages: 0, depth: 0 });
    expect(header.rows).toHaveLength(2);
    expect(JSON.parse(await askAll(file, header))).toHaveLength(10);
  });

  it('that grows while it is looked at goes on to be shown', async () => {
    const { file } = trace();
    const header = await open(file);
    const answers = await askAll(file, header);
    const events = path.join(path.dirname(file), 'traces/0.evt');
    const other = trace();
    appendFileSync(events, readFileSync(path.join(path.dirname(other.file), 'traces/0.evt')));
    expect(await askAll(file, header)).toBe(answers);
    // Opened again, it is another one.
    await open(other.file);
    await askAll(file, await open(file));
  });

  it('may have hostile names and numbers', async () => {
    const folder = path.join(root, 'hostile');
    mkdirSync(path.join(folder, 'traces'), { recursive: true });
    const writer = new ArchiveWriter(
      'traces',
      (name) => (bytes) => appendFileSync(path.join(folder, name), bytes),
    );
    const name = writer.string(`<img src=x>${'\u202e'.repeat(50_000)}`);
    const events = writer.location(7);
    // Regions that are not defined, more than are told apart, and times at the ends of what there is.
    for (let id = 0; id < 3000; id++) events.enter(2n ** 63n + BigInt(id) * 2n ** 40n, id * 1_000_003);
    events.event('MPI_SEND', 2n ** 64n - 2n, [4_000_000_000, 77, 4_000_000_000, 2n ** 63n]);
    writer.close(7);
    writer.define('CLOCK_PROPERTIES', {
      ticksPerSecond: 0,
      globalOffset: 0,
      length: 0,
      realtimeNanoseconds: 0,
    });
    writer.define('LOCATION_GROUP', { id: 0, name, type: 2, parent: 0, creator: 77 });
    writer.define('LOCATION', { id: 7, name, type: 2, events: 1, group: 0 });
    writer.finish();
    const file = path.join(folder, 'traces.otf2');
    const header = await open(file);
    expect(header.rows[0]?.name.length).toBeLessThan(150);
    expect(header.rows[0]?.rank).toBe(-1);
    expect(header.functions.length).toBe(1001);
    expect(header.depth).toBe(3000);
    expect(header.notes.join()).toContain('does not define are not shown: 1');
    await askAll(file, header);
  });

  it('that is none is refused with the reason', async () => {
    const { file } = trace();
    rmSync(path.join(path.dirname(file), 'traces.def'));
    await expect(open(file)).rejects.toMatchObject({ reason: 'missing-otf2-file' });
    await expect(open(path.join(root, 'nothing.otf2'))).rejects.toMatchObject({ reason: 'file-missing' });
    writeFileSync(file, 'hello');
    await expect(open(file)).rejects.toMatchObject({ reason: 'not-otf2' });
  });

  it('with records of every kind is shown', async () => {
    const folder = path.join(root, 'every');
    cpSync(path.resolve(import.meta.dirname, '../../../fixtures/otf2/every'), folder, { recursive: true });
    const file = path.join(folder, 'every.otf2');
    const header = await open(file);
    expect(header.events).toBeGreaterThan(100);
    await askAll(file, header);
  });
});
