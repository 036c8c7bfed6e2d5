import {
  noFunction,
  type TimelineFunction,
  type TimelineHeader,
  type TimelineMessages,
  type TimelineProfile,
  type TimelineSpans,
  type TimelineWindow,
} from '../../../src/core/timeline/pieces';
import { timelineGuards } from '../../../src/editor/surfaces/panels/timeline/requests';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import type { TimelineRange, TimelineRequests, TimelineShown } from '../../../src/protocol/timeline';

/** A call of a row, with those that it makes. */
interface Call {
  readonly function: number;
  readonly begin: number;
  readonly end: number;
  readonly depth: number;
}

interface Message {
  readonly sender: number;
  readonly receiver: number;
  readonly sent: number;
  readonly received: number;
}

/** A trace in memory, whose pieces are made as slowly and plainly as possible. */
export class TestTrace {
  readonly header: TimelineHeader;

  constructor(
    readonly functions: readonly TimelineFunction[],
    rows: readonly string[],
    readonly seconds: number,
    /** Of a row, in the order of their beginning. */
    private readonly callsOf: (row: number) => readonly Call[],
    private readonly messages: readonly Message[] = [],
    more: Partial<TimelineHeader> = {},
  ) {
    this.header = {
      id: 'first',
      seconds,
      events: 48_000,
      rows: rows.map((name, rank) => ({ name, rank, thread: 0, events: 1000 })),
      functions,
      depth: 3,
      messages: messages.length,
      notes: [],
      ...more,
    };
  }

  spans(window: TimelineWindow): TimelineSpans {
    return this.painted(window, (position) => this.callsOf(window.firstRow + position), undefined);
  }

  stack(window: TimelineWindow): TimelineSpans {
    const calls = this.callsOf(window.firstRow);
    return this.painted(window, () => calls, 'depth');
  }

  /** In each pixel the deepest call at its middle. */
  private painted(
    { rowCount, from, to, pixels }: TimelineWindow,
    callsOf: (position: number) => readonly Call[],
    by: 'depth' | undefined,
  ): TimelineSpans {
    const first = new Uint32Array(rowCount + 1);
    const all: (readonly [begin: number, end: number, of: number])[] = [];
    const pixel = (to - from) / pixels;
    for (let row = 0; row < rowCount; row++) {
      const calls = callsOf(row).filter(({ depth }) => by === undefined || depth === row);
      let last: Call | undefined;
      for (let index = 0; index < pixels; index++) {
        const at = from + (index + 0.5) * pixel;
        const call = calls.findLast(({ begin, end }) => begin <= at && at < end);
        const begin = Math.max(from, from + index * pixel);
        const end = begin + pixel;
        const previous = all.at(-1);
        if (call !== undefined && call === last && previous !== undefined)
          all[all.length - 1] = [previous[0], end, previous[2]];
        else all.push([begin, end, call?.function ?? noFunction]);
        last = call;
      }
      first[row + 1] = all.length;
    }
    return {
      first,
      begin: Float64Array.from(all, ([begin]) => begin),
      end: Float64Array.from(all, ([, end]) => end),
      functions: Uint32Array.from(all, ([, , of]) => of),
      share: Float32Array.from(all, () => 1),
    };
  }

  messagesOf({ firstRow, rowCount, from, to }: TimelineWindow, most: number): TimelineMessages {
    const isIn = (row: number): boolean => row >= firstRow && row < firstRow + rowCount;
    const all = this.messages.filter(
      ({ sender, receiver, sent, received }) =>
        (isIn(sender) || isIn(receiver)) && received >= from && sent <= to,
    );
    const shown = all.slice(0, most);
    return {
      sender: Uint32Array.from(shown, ({ sender }) => sender),
      receiver: Uint32Array.from(shown, ({ receiver }) => receiver),
      sent: Float64Array.from(shown, ({ sent }) => sent),
      received: Float64Array.from(shown, ({ received }) => received),
      bytes: Float64Array.from(shown, () => 65_536),
      tag: Int32Array.from(shown, () => 7),
      total: all.length,
    };
  }

  profile({ firstRow, rowCount, from, to }: TimelineRange): TimelineProfile {
    const rows = this.functions.map((_, position) => {
      let [visits, inclusiveSeconds, exclusiveSeconds] = [0, 0, 0];
      for (let row = firstRow; row < Math.min(firstRow + rowCount, firstRow + 64); row++) {
        const calls = this.callsOf(row);
        const inside = ({ begin, end }: Call): number =>
          Math.max(0, Math.min(end, to) - Math.max(begin, from));
        for (const call of calls) {
          if (call.function !== position) continue;
          if (call.begin >= from && call.begin < to) visits++;
          inclusiveSeconds += inside(call);
          exclusiveSeconds += inside(call);
          for (const child of calls)
            if (child.depth === call.depth + 1 && child.begin >= call.begin && child.end <= call.end)
              exclusiveSeconds -= inside(child);
        }
      }
      return { function: position, visits, inclusiveSeconds, exclusiveSeconds };
    });
    return {
      rows: rows.filter(({ inclusiveSeconds }) => inclusiveSeconds > 0),
      seconds: Math.min(rowCount, 64) * (to - from),
      messages: { count: 12, bytes: 786_432 },
    };
  }

  find(given: TimelineRequests['find']['parameters']): TimelineRequests['find']['result'] {
    const { function: wanted, row, seconds, isBackwards } = given;
    const rows = this.header.rows.length;
    for (let at = row; at >= 0 && at < rows; at += isBackwards ? -1 : 1) {
      const calls = this.callsOf(at).filter((call) => call.function === wanted);
      const call = isBackwards
        ? calls.findLast(({ begin }) => at < row || begin < seconds)
        : calls.find(({ begin }) => at > row || begin > seconds);
      if (call !== undefined) return { call: { row: at, begin: call.begin, end: call.end } };
    }
    return {};
  }
}

const place = (name: string, paradigm = 'user', line = 0): TimelineFunction => ({
  name,
  paradigm,
  place: line > 0 ? { name, file: '/src/solver.cpp', line } : { name },
});

const [main, init, step, compute, exchange, loop, send, receive, wait] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const solverFunctions: readonly TimelineFunction[] = [
  place('main', 'user', 10),
  place('read_mesh', 'user', 20),
  place('time_step', 'user', 40),
  place('compute_fluxes', 'compiler', 60),
  place('exchange_halo', 'user', 90),
  place('!$omp parallel @solver.cpp:64', 'OpenMP'),
  place('MPI_Send', 'MPI'),
  place('MPI_Recv', 'MPI'),
  place('MPI_Allreduce', 'MPI'),
];

const steps = 8;
const stepSeconds = 0.14;

/** A solver: `main` calls `read_mesh`, and then eight steps that compute, exchange with the next rank and wait; rank 2 computes longest. */
function solverCalls(row: number): readonly Call[] {
  const calls: Call[] = [
    { function: main, begin: 0, end: 1.25, depth: 0 },
    { function: init, begin: 0.005, end: 0.1, depth: 1 },
  ];
  const slow = row % 4 === 2 ? 1 : 0.6 + 0.1 * (row % 4);
  for (let index = 0; index < steps; index++) {
    const begin = 0.11 + index * stepSeconds;
    const computed = begin + 0.09 * slow;
    calls.push(
      { function: step, begin, end: begin + stepSeconds - 0.002, depth: 1 },
      { function: compute, begin: begin + 0.001, end: computed, depth: 2 },
      { function: loop, begin: begin + 0.02 * slow, end: begin + 0.06 * slow, depth: 3 },
      { function: exchange, begin: computed, end: computed + 0.02, depth: 2 },
      { function: send, begin: computed + 0.002, end: computed + 0.008, depth: 3 },
      { function: receive, begin: computed + 0.009, end: computed + 0.019, depth: 3 },
      { function: wait, begin: computed + 0.021, end: begin + stepSeconds - 0.003, depth: 2 },
    );
  }
  return calls;
}

function solverMessages(ranks: number): readonly Message[] {
  return Array.from({ length: ranks * steps }, (_, index) => {
    const [sender, number] = [index % ranks, Math.floor(index / ranks)];
    const receiver = (sender + 1) % ranks;
    const sent = solverCalls(sender).filter((call) => call.function === send)[number]?.begin ?? 0;
    const received = solverCalls(receiver).filter((call) => call.function === receive)[number]?.end ?? 0;
    return { sender, receiver, sent, received: Math.max(received, sent + 0.002) };
  });
}

export function solver(ranks = 8, more: Partial<TimelineHeader> = {}): TestTrace {
  const names = Array.from({ length: ranks }, (_, rank) => `rank ${rank}`);
  const trace = new TestTrace(
    solverFunctions,
    names,
    1.25,
    solverCalls,
    solverMessages(Math.min(ranks, 64)),
    {
      depth: 4,
      ...more,
    },
  );
  return trace;
}

/** Names as no compiler would write them. */
export function hostile(): TestTrace {
  const functions = ['<img src=x onerror=alert(1)>', 'a\u202egnirts', '=1+2', `${'very_'.repeat(200)}long`];
  return new TestTrace(
    functions.map((name) => place(name)),
    ['<b>rank</b> 0', 'rank \u202e1'],
    4,
    () => functions.map((_, index) => ({ function: index, begin: index, end: index + 1, depth: 0 })),
    [],
    { depth: 1, notes: ['<i>The trace</i> has no end.', 'Rank 3 is missing.'] },
  );
}

export type Asked = readonly [name: keyof TimelineRequests, parameters: unknown];

export interface Served {
  trace: TestTrace;
  shown: TimelineShown;
  opened?: boolean;
  /** Pictures cannot be made. */
  problem?: { readonly reason: string; readonly message: string };
  /** Answers of spans wait for it. */
  hold?: Promise<unknown>;
  /** Questions without an answer yet. */
  waiting?: number;
}

export const common = { panel: '{"file":"/run/traces.otf2"}', title: 'run/traces.otf2' };

export function done(trace: TestTrace): TimelineShown {
  return { ...common, kind: 'done', header: trace.header };
}

/** The extension's end, which remembers what it was asked. */
export function answersOf(served: Served, asked: Asked[]): Answers<TimelineRequests> {
  const note = <Name extends keyof TimelineRequests>(
    name: Name,
    answer: (
      given: TimelineRequests[Name]['parameters'],
    ) => TimelineRequests[Name]['result'] | Promise<TimelineRequests[Name]['result']>,
  ) => ({
    guard: timelineGuards[name],
    answer: async (given: TimelineRequests[Name]['parameters']) => {
      asked.push([name, given]);
      served.waiting = (served.waiting ?? 0) + 1;
      try {
        return await answer(given);
      } finally {
        served.waiting--;
      }
    },
  });
  return {
    open: { guard: timelineGuards.open, answer: () => served.shown },
    spans: note('spans', async (window) => {
      await served.hold;
      const { problem } = served;
      if (problem !== undefined) throw Object.assign(new Error(problem.message), { reason: problem.reason });
      return served.trace.spans(window);
    }),
    stack: note('stack', (window) => served.trace.stack(window)),
    messages: note('messages', (window) => served.trace.messagesOf(window, window.most)),
    profile: note('profile', (range) => served.trace.profile(range)),
    find: note('find', (given) => served.trace.find(given)),
    openSource: note('openSource', () => ({ opened: served.opened ?? true })),
    make: note('make', () => ({ started: true })),
    cancel: note('cancel', () => ({ cancelled: true })),
    save: note('save', () => ({ saved: true })),
  };
}
