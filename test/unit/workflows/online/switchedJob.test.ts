import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import type { ControlMessage, ProcessState } from '../../../../src/formats/control/messages';
import type { ControlRequest } from '../../../../src/formats/control/requests';
import type { OpenedProcess, ProcessSource } from '../../../../src/overlay/agent/processLink';
import type { ProgramOfProcesses } from '../../../../src/measurement/results/mergeProcesses';
import { WatchedJob } from '../../../../src/workflows/online/watchedJob';

/** Processes that say what they are asked to; one more iteration is complete at each question. */
class Processes implements ProcessSource {
  readonly asked: string[] = [];
  readonly ends = new Map<string, () => void>();
  refuses = '';
  constructor(readonly all: string[]) {}

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.all]);
  }

  open(name: string): Promise<OpenedProcess> {
    let iterations = 10;
    const state = (): ProcessState =>
      ({ pid: 1, host: name, rank: 0, ranks: this.all.length, iterations: iterations++ }) as ProcessState;
    const over = new Promise<void>((resolve) => this.ends.set(name, resolve));
    const ask = (request: ControlRequest): ControlMessage => {
      if (request.kind === 'switch') {
        if (name === this.refuses) throw new KymoError('request-refused', 'code may not be changed here');
        this.asked.push(
          `${name} ${request.slots.map(({ slot, on }) => `${on ? '+' : '-'}${slot}`).join('')}`,
        );
        const none = { unknownSlots: 0, failedSites: 0, sites: request.slots.length };
        return { kind: 'switched', serial: 1, generation: 1, tick: 0n, ...none };
      }
      return { kind: 'done', serial: 1 };
    };
    const connection = {
      ask: (request: ControlRequest) => Promise.resolve().then(() => ask(request)),
      state: () => Promise.resolve(state()),
      pause: () => undefined,
      close: () => undefined,
      over,
    };
    return Promise.resolve({ connection, state: state() });
  }
}

const program = { slots: ['a', 'b', 'c'] } as unknown as ProgramOfProcesses;

async function jobOf(processes: Processes): Promise<WatchedJob> {
  const job = new WatchedJob({ program }, processes, new AbortController().signal);
  await job.attach(new Promise(() => undefined));
  return job;
}

describe('a job whose functions are switched', () => {
  it('is switched in all processes, and says which iterations were in part', async () => {
    const processes = new Processes(['one', 'two']);
    const job = await jobOf(processes);
    const switched = await job.switch(
      new Map([
        [1, true],
        [2, false],
      ]),
    );
    expect(processes.asked.sort()).toEqual(['one +1-2', 'two +1-2']);
    expect(switched.map(({ process: { host }, ...rest }) => [host, rest])).toEqual([
      ['one', { iterations: [11, 12], isUnchanged: false }],
      ['two', { iterations: [11, 12], isUnchanged: false }],
    ]);
  });

  it('is switched in processes that begin later or come back, as it is by then', async () => {
    const processes = new Processes(['one']);
    const job = await jobOf(processes);
    await job.switch(
      new Map([
        [1, true],
        [2, true],
      ]),
    );
    await job.switch(new Map([[1, false]]));
    processes.all.push('two');
    await job.look();
    expect(processes.asked).toEqual(['one +1+2', 'one -1', 'two -1+2']);
    expect(job.takeLate().map(({ process: { host }, iterations }) => [host, iterations])).toEqual([
      ['two', [11, 12]],
    ]);
    expect(job.takeLate()).toEqual([]);
    processes.ends.get('one')?.();
    await job.look();
    await job.look();
    expect(processes.asked.slice(3)).toEqual(['one -1+2']);
  });

  it('goes on without a process that cannot be switched, and says why', async () => {
    const processes = new Processes(['one', 'two']);
    const job = await jobOf(processes);
    processes.refuses = 'two';
    const switched = await job.switch(new Map([[0, true]]));
    expect(switched.map(({ isUnchanged, why }) => [isUnchanged, why])).toEqual([
      [false, undefined],
      [true, 'code may not be changed here'],
    ]);
  });

  it('is asked in requests of a bounded length', async () => {
    const processes = new Processes(['one']);
    const job = await jobOf(processes);
    await job.switch(new Map(Array.from({ length: 40_000 }, (_, slot) => [slot, true])));
    expect(processes.asked.map((text) => text.split('+').length - 1)).toEqual([16_000, 16_000, 8_000]);
  });
});
