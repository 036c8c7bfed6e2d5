import { describe, expect, it } from 'vitest';
import type { ProcessState } from '../../../../src/formats/control/messages';
import type { OpenedProcess, ProcessSource } from '../../../../src/overlay/agent/processLink';
import { WatchedJob } from '../../../../src/workflows/online/watchedJob';

const cost = { pairSeconds: 20e-9, spreadSeconds: 0, insideSeconds: 10e-9, outsideSeconds: 10e-9 };
const state = (pid: number): ProcessState => ({
  ...{ pid, rank: pid, ranks: 2, host: 'n1', program: 'a.out', noSwitching: undefined },
  ...{ writesIterations: false, isSuspended: false, timerIsMonotonicClock: false, generation: 0 },
  ...{ slotCount: 1, threadCount: 1, phaseSlot: undefined, selectionId: 'ab', iterations: 0 },
  ...{ tick: 0n, ticksPerSecond: 1000, realNanoseconds: 0n, beginTick: 0n, beginRealNanoseconds: 0n },
  ...{ cpuSeconds: 0, probeCost: cost, entryCost: cost },
});

/** Fakes of processes: `opening` says when the connection to each is there. */
class Fakes implements ProcessSource {
  closed = 0;
  readonly end: () => void;
  private readonly over: Promise<void>;
  private readonly opening = new Map<string, (pid: number) => void>();

  constructor(private readonly all: readonly string[]) {
    let end = (): void => undefined;
    this.over = new Promise((resolve) => (end = resolve));
    this.end = end;
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve(this.all);
  }

  open(name: string): Promise<OpenedProcess> {
    return new Promise((resolve) => {
      this.opening.set(name, (pid) => resolve(this.process(pid)));
    });
  }

  answers(name: string, pid: number): void {
    this.opening.get(name)?.(pid);
  }

  private process(pid: number): OpenedProcess {
    const connection = {
      ask: () => Promise.resolve({ kind: 'done' } as never),
      state: () => Promise.resolve(state(pid)),
      pause: () => undefined,
      close: () => {
        this.closed++;
      },
      over: this.over,
    };
    return { connection, state: state(pid) };
  }
}

const program = { slots: ['main'], graph: { functions: [], edges: [] }, executable: '/a', selectionId: 'ab' };
const job = (source: ProcessSource): WatchedJob =>
  new WatchedJob({ program }, source, new AbortController().signal);

const pidsOf = (watched: WatchedJob): readonly number[] =>
  watched.known.map(({ result }) => result.process.pid);

describe('the processes of a run', () => {
  it('are seen when one of them does not answer, as its host stands still; it is seen when it does', async () => {
    const source = new Fakes(['n1.1.control', 'n2.2.control']);
    const watched = job(source);
    const looking = watched.look();
    await Promise.resolve();
    source.answers('n1.1.control', 1);
    await looking;
    expect(pidsOf(watched)).toEqual([1]);
    source.answers('n2.2.control', 2);
    await watched.look();
    expect(pidsOf(watched)).toEqual([1, 2]);
  });

  it('are waited for only until one of them ends', async () => {
    const source = new Fakes(['n1.1.control']);
    const watched = job(source);
    const looking = watched.look();
    await Promise.resolve();
    source.answers('n1.1.control', 1);
    await looking;
    const waiting = watched.wait(3_600_000);
    source.end();
    await waiting;
    await expect(watched.results()).rejects.toMatchObject({ reason: 'process-ended' });
  });

  it('are not waited for any longer when the user cancels', async () => {
    const user = new AbortController();
    const waiting = new WatchedJob({ program }, new Fakes([]), user.signal).wait(3_600_000);
    user.abort();
    await expect(waiting).rejects.toThrow(/abort/);
  });

  it('are not watched when they answer after the end', async () => {
    const source = new Fakes(['n1.1.control']);
    const watched = job(source);
    await watched.look();
    watched.close();
    source.answers('n1.1.control', 1);
    await watched.look();
    expect(pidsOf(watched)).toEqual([]);
    expect(source.closed).toBe(1);
  });
});
