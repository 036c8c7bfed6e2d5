import type { VirtualFunction, VirtualSpec } from './program';

/**
 * main → solve → { smooth, exchange, restrict }, main → output: all processes compute in `smooth` and wait for messages in `exchange`. In `restrict`, every fourth
 * one computes more than a third of the time.
 */
export function smallProgram(hosts: number, processesPerHost = 2): VirtualSpec {
  const fn = (name: string, cpu: number, more: Partial<VirtualFunction> = {}): VirtualFunction => ({
    module: name === 'main' ? 'main.c' : 'solve.c',
    name,
    cpu,
    rate: 2000,
    ...more,
  });
  return {
    functions: [
      fn('main', 0.01, { rate: 0.001 }),
      fn('solve', 0.02, { rate: 10 }),
      fn('smooth', 0.36),
      fn('exchange', 0.02, { waits: [{ object: 1, time: 0.27 }] }),
      fn('restrict', 0.15),
      fn('output', 0.02, { rate: 1 }),
    ],
    calls: [
      { caller: 0, callee: 1, share: 1 },
      { caller: 1, callee: 2, share: 1 },
      { caller: 1, callee: 3, share: 1 },
      { caller: 1, callee: 4, share: 1 },
      { caller: 0, callee: 5, share: 1 },
    ],
    objects: [
      ['Barrier', 'world'],
      ['Message', 'world:17'],
      ['Message', 'world:18'],
    ],
    slackIn: 3,
    hosts,
    processesPerHost,
    variants: [() => 1, (i) => (i === 4 ? 2.6 : i === 2 ? 0.9 : 1)],
    variantOf: (process) => (process % 4 === 3 ? 1 : 0),
  };
}

/** All compute the same in `smooth` but one process, which takes longer and hardly waits for messages: all others wait for it. */
export function oneSlowProcess(processes: number, slow: number): VirtualSpec {
  const spec = smallProgram(processes / 2);
  return {
    ...spec,
    variants: [() => 1, (i) => (i === 2 ? 2.2 : i === 3 ? 0.2 : 1)],
    variantOf: (process) => (process === slow ? 1 : 0),
  };
}
