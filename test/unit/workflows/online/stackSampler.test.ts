import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import type { ControlMessage } from '../../../../src/formats/control/messages';
import type { ControlRequest } from '../../../../src/formats/control/requests';
import {
  StackSampler,
  sampledProgram,
  type StackSample,
} from '../../../../src/workflows/online/stackSampler';

const program = sampledProgram({ functions: [], edges: [] });

/** A process without objects: each function is an address. */
class FakeProcess {
  readonly asked: ControlRequest['kind'][] = [];
  code = '1000-2000 r-xp 00000000 00:00 0 \n';
  /** The answer waits for it. */
  held: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  async ask(request: ControlRequest): Promise<ControlMessage> {
    this.asked.push(request.kind);
    if (this.failure !== undefined) throw this.failure;
    if (request.kind === 'code') {
      await this.held;
      return { kind: 'code', serial: 1, text: this.code };
    }
    return request.kind === 'callStacksNow' ? sample(7n, 0x1234n, 3) : { kind: 'done', serial: 1 };
  }
}

function sample(tick: bigint, programCounter: bigint, serial = 0): ControlMessage {
  const registers = new BigUint64Array(17);
  registers[16] = programCounter;
  const threads = [{ tid: 5, registers, frames: [], stack: new Uint8Array(0) }];
  return { kind: 'callStacks', serial, tick, lost: 0, missing: 2, ended: undefined, threads };
}

const namesOf = ({ threads }: StackSample): readonly string[] =>
  threads.flatMap(({ functions }) => functions.map(({ name }) => name));

describe('sampling call stacks of a process', () => {
  it('gives each sample in turn, asks once where the code comes from, and gives none after the end', async () => {
    const process = new FakeProcess();
    const sampler = new StackSampler(process, program);
    const seen: StackSample[] = [];
    sampler.take(sample(1n, 0x1000n));
    await sampler.start(1000, (each) => seen.push(each));
    sampler.take(sample(2n, 0x1001n));
    sampler.take(sample(3n, 0x1002n));
    sampler.take(sample(4n, 0x1003n, 9)); // an answer to somebody's question
    await sampler.stop();
    sampler.take(sample(5n, 0x1004n));
    // Those that were on the way when it ended are not wanted any more.
    expect(seen.map(({ tick }) => tick)).toEqual([]);
    expect(process.asked).toEqual(['callStacks', 'callStacks', 'code']);
  });

  it('hands them over in their order', async () => {
    const process = new FakeProcess();
    const sampler = new StackSampler(process, program);
    const seen: StackSample[] = [];
    await new Promise<void>((resolve) => {
      void sampler.start(1000, (each) => {
        seen.push(each);
        if (seen.length === 3) resolve();
      });
      for (const tick of [1n, 2n, 3n]) sampler.take(sample(tick, 0x1000n + tick));
    });
    expect(seen.map((each) => [each.tick, each.missing, namesOf(each)])).toEqual([
      [1n, 2, ['0x1001']],
      [2n, 2, ['0x1002']],
      [3n, 2, ['0x1003']],
    ]);
    await sampler.stop();
  });

  it('leaves samples out, and counts them, when they come faster than they are read', async () => {
    const process = new FakeProcess();
    let release = (): void => undefined;
    process.held = new Promise((resolve) => (release = resolve));
    const sampler = new StackSampler(process, program);
    const seen: bigint[] = [];
    await sampler.start(1000, ({ tick }) => seen.push(tick));
    for (let i = 1; i <= 100; i++) sampler.take(sample(BigInt(i), 0x1000n));
    expect(sampler.samplesLeftOut).toBe(96);
    release();
    for (let i = 0; seen.length < 4; i++) {
      expect(i).toBeLessThan(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen).toEqual([1n, 2n, 3n, 4n]);
    await sampler.stop();
  });

  it('asks again where the code comes from when a thread is in code that was not there', async () => {
    const process = new FakeProcess();
    const sampler = new StackSampler(process, program);
    expect(namesOf(await sampler.now())).toEqual(['0x1234']);
    process.code += '3000-4000 r-xp 00000000 00:00 0 \n';
    await new Promise<void>((resolve) => {
      void sampler.start(1000, (each) => {
        expect(namesOf(each)).toEqual(['0x3001']);
        resolve();
      });
      sampler.take(sample(2n, 0x3001n));
    });
    expect(process.asked).toEqual(['callStacksNow', 'code', 'callStacks', 'code']);
    await sampler.stop();
  });

  it('says why it ended when the process has ended it, and why it cannot begin', async () => {
    const process = new FakeProcess();
    const sampler = new StackSampler(process, program);
    await sampler.start(1000, () => undefined);
    const why = 'the program handles all signals';
    sampler.take({ kind: 'callStacks', serial: 0, tick: 1n, lost: 0, missing: 0, ended: why, threads: [] });
    expect(sampler.endedBecause).toBe(why);
    process.failure = new KymoError('request-refused', why);
    await expect(sampler.start(1000, () => undefined)).rejects.toThrow(why);
    await expect(sampler.now()).rejects.toThrow(why);
  });

  it('is stopped without a word when the process has ended', async () => {
    const process = new FakeProcess();
    const sampler = new StackSampler(process, program);
    process.failure = new KymoError('process-ended', 'it is over');
    await sampler.stop();
    expect(process.asked).toEqual(['callStacks']);
  });
});
