import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { KymoError } from '../../../src/core/errors';
import { job, query, stream, type Context } from '../../../src/engine/requests/request';
import { runProcess } from '../../../src/measurement/launch/process';

const pid = (): Promise<number> => Promise.resolve(process.pid);

interface Blocking {
  /** The process does nothing else until this file exists. */
  readonly until: string;
}

/** File that a blocked process writes when it begins to wait for `until`. */
export function begunFile(until: string): string {
  return `${until}.begun`;
}

function block({ until }: Blocking): Promise<number> {
  writeFileSync(begunFile(until), '');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(until)) Atomics.wait(pause, 0, 0, 20);
  return pid();
}

async function waitFor(file: string): Promise<number> {
  while (!existsSync(file)) await setTimeout(10);
  return process.pid;
}

interface Logged {
  readonly log: string;
}

interface Echo {
  readonly value: number;
  readonly milliseconds: number;
}

/** The value comes back after a while, unless the question is cancelled before. */
async function echo({ value, milliseconds }: Echo, { signal, progress }: Context): Promise<number> {
  progress.report({ message: String(value) });
  await setTimeout(milliseconds, undefined, { signal });
  return value;
}

/** The same, but the process does nothing else and does not listen. */
function echoBusily({ value, milliseconds }: Echo): Promise<number> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  return Promise.resolve(value);
}

/** The value several times, with pauses. */
async function* echoes({ value, milliseconds }: Echo, { signal }: Context): AsyncGenerator<number> {
  for (let part = 0; part < 3; part++) {
    yield value;
    await setTimeout(milliseconds / 3, undefined, { signal });
  }
}

/** Requests that answer, fail and hang in every way, to see what the client does with each. */
export const testRequests = {
  pid: query(pid),
  logged: query((_: object, { progress }) => {
    progress.log('one');
    progress.report({ message: 'half', fraction: 0.5 });
    return pid();
  }),
  fail: query(() => Promise.reject(new KymoError('config-invalid', 'bad', { file: '/f', line: 3 }))),
  crash: query(async () => {
    process.nextTick(() => {
      throw new Error('out of paper');
    });
    await setTimeout(60_000);
  }),
  trusted: query(pid, { runsCommands: true }),
  block: query(block),
  waitFor: query(({ file }: { readonly file: string }) => waitFor(file)),
  /** Changes something each time it begins. */
  write: query(
    ({ log, file }: Logged & { readonly file: string }) => {
      appendFileSync(log, 'written\n');
      return waitFor(file);
    },
    { writes: true },
  ),
  /** Ends when it is cancelled, and leaves a trace of that. */
  cancellable: query(async ({ log }: Logged, { signal, progress }) => {
    progress.report({ message: 'begun' });
    await setTimeout(60_000, undefined, { signal }).catch((error: unknown) => {
      appendFileSync(log, 'cancelled\n');
      throw error;
    });
  }),
  documentPid: query(pid, { home: 'document' }),
  documentBlock: query(block, { home: 'document' }),
  jobPid: job(pid),
  echo: query(echo),
  echoBusily: query(echoBusily),
  documentEcho: query(echo, { home: 'document' }),
  documentEchoBusily: query(echoBusily, { home: 'document' }),
  jobEcho: job(echo),
  jobEchoBusily: job(echoBusily),
  echoes: stream(echoes),
  followedEchoes: stream(echoes, { home: 'own' }),
  /** Never ends, and does not listen. */
  hang: job(async (_: object, { progress }) => {
    progress.report({ message: String(process.pid) });
    for (;;) await setTimeout(1000);
  }),
  /** Starts a program that starts another one, and does not listen either. */
  starts: job(async ({ log }: Logged) => {
    await runProcess({ shell: `sleep 600 & echo $! $$ > '${log}'; wait` }, { asksMachine: true });
  }),
  /** Counts, and writes how far it came and that it was left. */
  count: stream(async function* ({ log, end }: Logged & { readonly end: number }) {
    await setTimeout(0);
    try {
      for (let number = 0; number < end; number++) {
        appendFileSync(log, `${number}\n`);
        yield number;
      }
      if (end === 3) throw new KymoError('usage', 'no more');
    } finally {
      appendFileSync(log, 'left\n');
    }
  }),
  /** Two parts, and then nothing until it is cancelled. */
  followed: stream(
    async function* (_: object, { signal }) {
      yield process.pid;
      yield process.pid;
      await setTimeout(60_000, undefined, { signal });
    },
    { home: 'own' },
  ),
};
