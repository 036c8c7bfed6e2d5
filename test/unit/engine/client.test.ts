import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EngineClient } from '../../../src/engine/client';
import type { EngineEvent } from '../../../src/engine/wire';
import { bundleCli, type BundledCli } from '../../bundledCli';
import { failureOf, isAlive } from '../../processes';
import { begunFile, type testRequests } from './testRequests';

type Client = EngineClient<typeof testRequests>;

const patience = { timeout: 30_000 };
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-client-'));
let engine: BundledCli;
let client: Client;
let files = 0;

beforeAll(async () => {
  engine = await bundleCli('test/unit/engine/engine.main.ts');
  client = newClient();
});
/** Files that let blocked processes go. */
const gates: string[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) writeFileSync(gate, '');
});
afterAll(async () => {
  client.dispose();
  await engine.remove();
  rmSync(folder, { recursive: true, force: true });
});

function newClient(isTrusted = true): Client {
  return new EngineClient<typeof testRequests>({
    file: engine.file,
    onOutput: () => undefined,
    isTrusted: () => isTrusted,
  });
}

function newFile(): string {
  files += 1;
  return path.join(folder, String(files));
}

function newGate(): string {
  const gate = newFile();
  gates.push(gate);
  return gate;
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** A question that has begun and does not let go of its process. */
async function blocked(
  asked: (until: string, signal: AbortSignal) => Promise<number>,
  gate = newGate(),
): Promise<{ readonly abort: AbortController; readonly answer: Promise<number>; readonly gate: string }> {
  const abort = new AbortController();
  const answer = asked(gate, abort.signal);
  answer.catch(() => undefined);
  await expect.poll(() => existsSync(begunFile(gate)), patience).toBe(true);
  return { abort, answer, gate };
}

describe('a question', () => {
  it('gets the result and what came before it', async () => {
    const events: EngineEvent[] = [];
    await client.query('logged', {}, { onEvent: (event) => void events.push(event) });
    expect(events).toContainEqual({ kind: 'log', lines: ['one'] });
    expect(events).toContainEqual({ kind: 'progress', message: 'half', fraction: 0.5 });
  });

  it('shares a process with other ones, and a job has its own', async () => {
    const first = await client.query('pid', {});
    expect(await client.query('pid', {})).toBe(first);
    const job = await client.job('jobPid', {});
    expect(job).not.toBe(first);
    await expect.poll(() => isAlive(job), patience).toBe(false);
  });

  it('throws the error of the engine with its reason and place', async () => {
    await expect(client.query('fail', {})).rejects.toMatchObject({
      reason: 'config-invalid',
      message: 'bad',
      where: { file: '/f', line: 3 },
    });
  });

  it('names what a crashed engine printed, and the next one is answered by another process', async () => {
    const [first, beside] = await Promise.all([
      failureOf(client.query('crash', {})),
      failureOf(client.query('waitFor', { file: newFile() })),
    ]);
    expect(first).toMatchObject({ reason: 'engine-ended' });
    expect(first.message).toContain('out of paper');
    expect(beside).toMatchObject({ reason: 'engine-ended' });
    expect(await client.query('pid', {})).toBeGreaterThan(0);
  });

  it('that runs commands of the workspace is refused until the workspace is trusted', async () => {
    const untrusted = newClient(false);
    await expect(untrusted.query('trusted', {})).rejects.toMatchObject({ reason: 'untrusted' });
    untrusted.dispose();
    expect(await client.query('trusted', {})).toBeGreaterThan(0);
  });

  it('is asked in its own way only', () => {
    // These are statements about types: each line is an error, and nothing is asked.
    const wrong = (asked: Client): unknown => [
      // @ts-expect-error A job is no query.
      asked.query('hang', {}),
      // @ts-expect-error A query is no job.
      asked.job('pid', {}),
      // @ts-expect-error A question about a document is asked in the document's process.
      asked.query('documentPid', {}),
      // @ts-expect-error The shared process does not follow.
      asked.stream('followed', {}),
      // @ts-expect-error There is no such request.
      asked.query('other', {}),
      // @ts-expect-error The options are another request's.
      asked.query('block', { file: '' }),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});

describe('cancelling a question', () => {
  it('before it is asked asks nothing', async () => {
    const log = newFile();
    await expect(
      client.query('write', { log, file: log }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ reason: 'cancelled' });
    await client.query('pid', {});
    expect(linesOf(log)).toEqual([]);
  });

  it('aborts the signal of its handler', async () => {
    const log = newFile();
    const abort = new AbortController();
    const before = await client.query('pid', {});
    const onEvent = (): void => abort.abort();
    await expect(
      client.query('cancellable', { log }, { signal: abort.signal, onEvent }),
    ).rejects.toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => linesOf(log), patience).toEqual(['cancelled']);
    expect(await client.query('pid', {})).toBe(before);
  });

  it('that blocks its process answers the ones beside it', async () => {
    const before = await client.query('pid', {});
    const later = newFile();
    const begunBeside = client.query('waitFor', { file: later });
    const { abort, answer } = await blocked((until, signal) => client.query('block', { until }, { signal }));
    const waiting = client.query('pid', {});
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    const other = await waiting;
    expect(other).not.toBe(before);
    writeFileSync(later, '');
    expect(await begunBeside).toBe(other);
    // Nobody waits for the blocked process any more, so that it ends without being let go.
    await expect.poll(() => isAlive(before), patience).toBe(false);
  });

  it('that blocks its process lets the ones that write end there, once', async () => {
    const [log, file] = [newFile(), newFile()];
    const before = await client.query('pid', {});
    const writing = client.query('write', { log, file });
    const { abort, answer, gate } = await blocked((until, signal) =>
      client.query('block', { until }, { signal }),
    );
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(await client.query('pid', {})).not.toBe(before);
    writeFileSync(file, '');
    writeFileSync(gate, '');
    expect(await writing).toBe(before);
    expect(linesOf(log)).toEqual(['written']);
    await expect.poll(() => isAlive(before), patience).toBe(false);
  });
});

it('a question that blocks the shared process for seconds keeps no later one waiting', async () => {
  const before = await client.query('pid', {});
  const { answer, gate } = await blocked((until, signal) => client.query('block', { until }, { signal }));
  const other = await client.query('pid', {});
  expect(other).not.toBe(before);
  writeFileSync(gate, '');
  expect(await answer).toBe(before);
  await expect.poll(() => isAlive(before), patience).toBe(false);
});

describe('a document', () => {
  it('has a process of its own, until nobody asks any more', async () => {
    const shared = await client.query('pid', {});
    const document = client.document(100);
    const first = await document.query('documentPid', {});
    expect(await document.query('documentPid', {})).toBe(first);
    expect(first).not.toBe(shared);
    await expect.poll(() => isAlive(first), patience).toBe(false);
    const third = await document.query('documentPid', {});
    expect(third).not.toBe(first);
    document.dispose();
    await expect.poll(() => isAlive(third), patience).toBe(false);
    await expect(document.query('documentPid', {})).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('loses only its own process to a long question that is cancelled', async () => {
    const shared = await client.query('pid', {});
    const document = client.document(60_000);
    const first = await document.query('documentPid', {});
    const { abort, answer } = await blocked((until, signal) =>
      document.query('documentBlock', { until }, { signal }),
    );
    const waiting = document.query('documentPid', {});
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(await waiting).not.toBe(first);
    await expect.poll(() => isAlive(first), patience).toBe(false);
    expect(await client.query('pid', {})).toBe(shared);
    document.dispose();
  });

  it('rejects what is still asked when it is closed', async () => {
    const document = client.document(60_000);
    const first = await document.query('documentPid', {});
    const { answer } = await blocked((until, signal) =>
      document.query('documentBlock', { until }, { signal }),
    );
    document.dispose();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => isAlive(first), patience).toBe(false);
  });
});

describe('a job', () => {
  it('is killed when it does not stop after it was cancelled', async () => {
    const abort = new AbortController();
    let pid = 0;
    // It never answers and never ends: without the kill, neither the question nor its process would come to an end.
    const onEvent = (event: EngineEvent): void => {
      if (event.kind === 'progress') pid = Number(event.message);
      abort.abort();
    };
    await expect(client.job('hang', {}, { signal: abort.signal, onEvent })).rejects.toMatchObject({
      reason: 'cancelled',
    });
    await expect.poll(() => isAlive(pid), patience).toBe(false);
  });

  it('leaves no program running when it is killed', async () => {
    const log = newFile();
    const abort = new AbortController();
    const job = failureOf(client.job('starts', { log }, { signal: abort.signal }));
    await expect.poll(() => linesOf(log).length, patience).toBe(1);
    const pids = (linesOf(log)[0] ?? '').split(' ').map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.map(isAlive)).toEqual([true, true]);
    abort.abort();
    expect(await job).toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => pids.map(isAlive), patience).toEqual([false, false]);
  });
});

describe('a stream', () => {
  it('gives its parts in order, and then its error', async () => {
    const parts: number[] = [];
    const reading = (async () => {
      for await (const part of client.stream('count', { log: newFile(), end: 3 })) parts.push(part);
    })();
    expect(await failureOf(reading)).toMatchObject({ reason: 'usage', message: 'no more' });
    expect(parts).toEqual([0, 1, 2]);
  });

  it('is not further ahead than a few parts, and ends when it is left', async () => {
    const log = newFile();
    for await (const part of client.stream('count', { log, end: 1e9 })) {
      expect(linesOf(log).length).toBeLessThan(part + 20);
      if (part === 100) break;
    }
    await expect.poll(() => linesOf(log).at(-1), patience).toBe('left');
    expect(linesOf(log).length).toBeLessThan(130);
  });

  it('of its own process ends with that process when it is left or cancelled', async () => {
    const abort = new AbortController();
    const reading = (async () => {
      for await (const pid of client.follow('followed', {})) return pid;
      return 0;
    })();
    const left = await reading;
    await expect.poll(() => isAlive(left), patience).toBe(false);
    const pids: number[] = [];
    const cancelled = (async () => {
      for await (const pid of client.follow('followed', {}, { signal: abort.signal }))
        if (pids.push(pid) === 2) abort.abort();
    })();
    expect(await failureOf(cancelled)).toMatchObject({ reason: 'cancelled' });
    const [pid = 0] = pids;
    expect(pids).toEqual([pid, pid]);
    await expect.poll(() => isAlive(pid), patience).toBe(false);
  });
});
