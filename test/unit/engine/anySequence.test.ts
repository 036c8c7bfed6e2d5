import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineClient } from '../../../src/engine/client';
import type { RequestHooks } from '../../../src/engine/questions';
import { bundleCli, type BundledCli } from '../../bundledCli';
import { failureOf } from '../../processes';
import type { testRequests } from './testRequests';

const patience = { timeout: 30_000 };
let engine: BundledCli;
beforeAll(async () => {
  engine = await bundleCli('test/unit/engine/engine.main.ts');
});
afterAll(() => engine.remove());

type Client = EngineClient<typeof testRequests>;
type Document = ReturnType<Client['document']>;

interface Echo {
  readonly value: number;
  readonly milliseconds: number;
}

/** Every way to ask for a value that comes back. Streams give it three times. */
const ways = {
  query: ({ client }: Asked, echo: Echo, hooks: RequestHooks) => client.query('echo', echo, hooks),
  busyQuery: ({ client }: Asked, echo: Echo, hooks: RequestHooks) => client.query('echoBusily', echo, hooks),
  document: ({ document }: Asked, echo: Echo, hooks: RequestHooks) =>
    document.query('documentEcho', echo, hooks),
  busyDocument: ({ document }: Asked, echo: Echo, hooks: RequestHooks) =>
    document.query('documentEchoBusily', echo, hooks),
  job: ({ client }: Asked, echo: Echo, hooks: RequestHooks) => client.job('jobEcho', echo, hooks),
  busyJob: ({ client }: Asked, echo: Echo, hooks: RequestHooks) => client.job('jobEchoBusily', echo, hooks),
  stream: ({ client }: Asked, echo: Echo, hooks: RequestHooks) =>
    commonPart(client.stream('echoes', echo, hooks)),
  follow: ({ client }: Asked, echo: Echo, hooks: RequestHooks) =>
    commonPart(client.follow('followedEchoes', echo, hooks)),
};

interface Asked {
  readonly client: Client;
  readonly document: Document;
}

type Way = keyof typeof ways;
const sharesProcess: readonly Way[] = ['query', 'busyQuery', 'stream'];

async function commonPart(parts: AsyncIterable<number>): Promise<number> {
  const list: number[] = [];
  for await (const part of parts) list.push(part);
  const [first = Number.NaN] = list;
  expect(list).toEqual([first, first, first]);
  return first;
}

type Step =
  | { readonly kind: 'ask'; readonly way: Way; readonly milliseconds: number }
  /** Cancels one of the questions so far. */
  | { readonly kind: 'cancel'; readonly choice: number }
  /** Ends the shared process by an error of its own. */
  | { readonly kind: 'crash' }
  | { readonly kind: 'pause'; readonly milliseconds: number };

const way = fc.constantFrom(...(Object.keys(ways) as Way[]));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask'), way, milliseconds: fc.nat(60) }) },
  // Longer than the time after which a cancelled question counts as stuck.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask'), way, milliseconds: fc.constant(1100) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancel'), choice: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pause'), milliseconds: fc.nat(120) }) },
);

/** A question and what became of it. */
interface Question {
  readonly way: Way;
  readonly value: number;
  readonly abort: AbortController;
  readonly end: Promise<unknown>;
  /** Values, reasons of errors and late events, in the order in which they came. */
  readonly ends: (number | string)[];
  hasEnded: boolean;
  wasCancelled: boolean;
}

function ask(asked: Asked, kind: Way, value: number, milliseconds: number): Question {
  const abort = new AbortController();
  const ends: (number | string)[] = [];
  const onEvent: RequestHooks['onEvent'] = (event) => {
    const isOwn = event.kind === 'progress' && event.message === String(value);
    if (ends.length > 0 || !isOwn) ends.push(`an event: ${JSON.stringify(event)}`);
  };
  const end = ways[kind](asked, { value, milliseconds }, { signal: abort.signal, onEvent }).then(
    (answer) => {
      ends.push(answer);
      question.hasEnded = true;
    },
    (error: unknown) => {
      ends.push(error instanceof Error && 'reason' in error ? String(error.reason) : String(error));
      question.hasEnded = true;
    },
  );
  const question: Question = { way: kind, value, abort, end, ends, hasEnded: false, wasCancelled: false };
  return question;
}

/** How a question may end: with its own value, unless it was cancelled or its process died. */
function possibleEnds({ way: kind, value, wasCancelled }: Question, crashes: number): readonly unknown[] {
  return [
    // The answer of a job may be on its way when the job is cancelled.
    ...(wasCancelled ? [] : [value]),
    ...(wasCancelled ? ['cancelled'] : []),
    ...(wasCancelled && (kind === 'job' || kind === 'busyJob' || kind === 'follow') ? [value] : []),
    ...(crashes > 0 && sharesProcess.includes(kind) && !wasCancelled ? ['engine-ended'] : []),
  ];
}

function enginesRunning(): readonly string[] {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(engine.file);
    } catch {
      return false;
    }
  });
}

test('in any sequence, each question ends once and as its own, and no process is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const client: Client = new EngineClient<typeof testRequests>({
        file: engine.file,
        onOutput: () => undefined,
        isTrusted: () => true,
      });
      const asked = { client, document: client.document(60_000) };
      const questions: Question[] = [];
      const crashes: Promise<unknown>[] = [];
      for (const [index, each] of steps.entries()) {
        switch (each.kind) {
          case 'ask':
            questions.push(ask(asked, each.way, index, each.milliseconds));
            break;
          case 'cancel': {
            const question = questions[each.choice % Math.max(1, questions.length)];
            if (question === undefined || question.hasEnded) break;
            question.wasCancelled = true;
            question.abort.abort();
            break;
          }
          case 'crash':
            crashes.push(failureOf(client.query('crash', {})));
            break;
          case 'pause':
            await setTimeout(each.milliseconds);
        }
      }
      await Promise.all(questions.map(({ end }) => end));
      for (const crash of crashes) expect(await crash).toMatchObject({ reason: 'engine-ended' });
      client.dispose();
      await expect.poll(enginesRunning, patience).toEqual([]);
      for (const question of questions) {
        expect(question.ends).toHaveLength(1);
        expect(possibleEnds(question, crashes.length)).toContain(question.ends[0]);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
