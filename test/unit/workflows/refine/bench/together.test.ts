import { describe, expect, it } from 'vitest';
import { allowedProcessors } from '../../../../../src/measurement/launch/processors';
import { Together, type RunFacts } from '../../../../../src/workflows/refine/bench/together';

const local = { launcher: { kind: 'local' } } as const;
const serial: RunFacts = { wallSeconds: 1, cpuSeconds: 1, memoryBytes: 1e6, writtenBytes: 0 };

function after(run: ConstructorParameters<typeof Together>[0], facts: RunFacts): Together {
  const together = new Together(run);
  together.learn(facts);
  return together;
}

describe('runs that take turns on one processor', () => {
  it('are those of a serial program that leaves nothing on disks', () => {
    expect(new Together(local).processor(1)).toBeUndefined();
    const together = after(local, serial);
    const processors = allowedProcessors();
    expect(together.processor(1)).toBe(processors[1 % processors.length]);
    together.forbid();
    expect(together.processor(1)).toBeUndefined();
  });
  it.each([
    ['writes a file', { writtenBytes: 1e6 }],
    ['computes with several threads', { cpuSeconds: 1.9 }],
    ['needs most of the memory', { memoryBytes: 1e15 }],
    ['has an unknown CPU time', { cpuSeconds: undefined }],
  ])('are none where it %s', (_, change) => {
    expect(after(local, { ...serial, ...change }).processor(0)).toBeUndefined();
  });
  it('are looked for in a second run where the first one only made the file system note what it read', () => {
    const noted = { ...serial, writtenBytes: 4096 };
    const together = after(local, noted);
    expect(together.processor(0)).toBeUndefined();
    expect(together.advice(30, 5)).toEqual([]);
    together.learn(serial);
    expect(together.processor(0)).toBeDefined();
    const writing = after(local, noted);
    writing.learn(noted);
    expect(writing.processor(0)).toBeUndefined();
    expect(writing.advice(30, 5)).toHaveLength(1);
  });
  it('are what the user says, but for programs that one processor does not show', () => {
    const asked = { ...local, together: true };
    expect(after(asked, { ...serial, writtenBytes: 1e9 }).processor(0)).toBeDefined();
    expect(after(asked, { ...serial, cpuSeconds: 2 }).processor(0)).toBeUndefined();
    expect(after({ ...local, together: false }, serial).processor(0)).toBeUndefined();
    const mpi = { launcher: { kind: 'mpirun', ranks: [2], arguments: [] }, together: true } as const;
    expect(after(mpi, serial).processor(0)).toBeUndefined();
  });
  it('are advised where files are the only reason, and the noise exceeds the target', () => {
    const writing = after(local, { ...serial, writtenBytes: 1e6 });
    expect(writing.advice(30, 5).join()).toMatch(/known to 30.0 % only.*"together": true/);
    expect(writing.advice(3, 5)).toEqual([]);
    expect(after(local, serial).advice(30, 5)).toEqual([]);
    expect(after({ ...local, together: false }, { ...serial, writtenBytes: 1e6 }).advice(30, 5)).toEqual([]);
  });
});

describe('allowedProcessors', () => {
  it.each([
    ['Name:\tx\nCpus_allowed_list:\t0-2,5,8-9\nMems_allowed:\t1\n', [0, 1, 2, 5, 8, 9]],
    ['Cpus_allowed_list:\t3\n', [3]],
    ['', []],
    ['Cpus_allowed_list:\t\n', []],
  ])('reads %j', (status, processors) => {
    expect(allowedProcessors(status)).toEqual(processors);
  });
  it('knows those of this machine', () => {
    expect(allowedProcessors().length).toBeGreaterThan(0);
  });
});
