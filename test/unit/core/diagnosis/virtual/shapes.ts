import { seeded, type VirtualCall, type VirtualFunction, type VirtualSpec } from './program';

/** What a shape is made from: chains of calls that lead to what takes the time, beside many functions that take little. */
interface Shape {
  readonly functions: number;
  /** Hot functions: their own time, how deep they are, and the hypothesis that they make true. */
  readonly hot: readonly ({ readonly depth: number } & Partial<
    Pick<VirtualFunction, 'cpu' | 'io' | 'waits' | 'name'>
  >)[];
  /** Hot functions that many others call, none of which is hot itself. */
  readonly utilities?: readonly { readonly callers: number; readonly cpu: number; readonly name?: string }[];
  /** Time of all other functions. */
  readonly rest: number;
  /** Share of chains that branch from an earlier one instead of `main`. */
  readonly branching: number;
  readonly recursive?: number;
  readonly indirect?: number;
  readonly functionsPerModule?: number;
}

/** Functions and calls of a shape. The same seed gives the same program. */
function grow(shape: Shape, seed: number): { functions: VirtualFunction[]; calls: VirtualCall[] } {
  const { random, between, below } = seeded(seed);
  const { functionsPerModule = 16, utilities = [] } = shape;
  const functions: VirtualFunction[] = [];
  const calls: VirtualCall[] = [];
  const depths: number[] = [];
  const add = (depth: number, given: Partial<VirtualFunction>): number => {
    const at = functions.length;
    functions.push({
      module: `m${Math.floor(at / functionsPerModule)}.c`,
      name: at === 0 ? 'main' : `f${at}`,
      cpu: 0,
      // From a few calls per second near the entry to some thousands in what is deep.
      rate: Math.min(2e4, between(1, 4) * 1.9 ** depth),
      ...given,
    });
    depths.push(depth);
    return at;
  };
  const call = (caller: number, callee: number, share = 1, kind?: VirtualCall['kind']): void => {
    calls.push({ caller, callee, share, ...(kind === undefined ? {} : { kind }) });
  };
  add(0, { rate: 1e-3 });
  const spine: number[] = [0];
  for (const { depth, ...given } of shape.hot) {
    let at = 0;
    if (random() < shape.branching && spine.length > 1) {
      const candidates = spine.filter((fn) => depths[fn]! > 0 && depths[fn]! < depth - 1);
      at = candidates[below(candidates.length)] ?? 0;
    }
    const isLast = (): boolean => depth - 1 === depths[at];
    while (!isLast()) {
      const next = add(depths[at]! + 1, { cpu: between(0, 0.004) });
      call(at, next);
      spine.push(next);
      at = next;
    }
    call(at, add(depth, { cpu: 0, ...given }));
  }
  const first = functions.length;
  const fill = shape.functions - first - utilities.length;
  const weights = Array.from({ length: fill }, () => (1 - random()) ** -0.7);
  const sum = weights.reduce((total, one) => total + one, 0);
  weights.forEach((weight, i) => {
    // Deep programs are deep everywhere: half of the functions are called by the one made before.
    const near = functions.length - 1;
    const at = i > 0 && random() < 0.5 && depths[near]! < 16 ? near : below(functions.length);
    const share = random() < 0.15 && at > 0 ? between(0.2, 0.8) : 1;
    const isIndirect = random() < (shape.indirect ?? 0);
    const next = add(depths[at]! + 1, {
      cpu: (shape.rest * weight) / sum,
      rate: Math.exp(between(0, Math.log(2e4))),
    });
    call(at, next, share, isIndirect ? 'indirect' : undefined);
    if (share < 1) call(below(at), next, 1 - share);
  });
  for (const { callers, ...given } of utilities) {
    const utility = add(6, given);
    const chosen = new Set<number>();
    while (chosen.size < callers) chosen.add(first + below(fill));
    for (const caller of chosen) call(caller, utility, 1 / callers);
  }
  for (let i = 0; i < (shape.recursive ?? 0); i++) {
    const fn = 1 + below(shape.functions - 1);
    call(fn, fn, 0, 'recursive');
  }
  return { functions, calls };
}

/** A: as ALARA, 720 functions, sequential and deep. */
export function alaraLike(seed = 1): VirtualSpec {
  const { functions, calls } = grow(
    {
      functions: 720,
      hot: [
        { depth: 15, cpu: 0.34 },
        { depth: 13, cpu: 0.14 },
        { depth: 12, cpu: 0.12 },
        { depth: 9, cpu: 0.05 },
        { depth: 6, io: { time: 0.22, operations: 900, bytes: 512 } },
      ],
      utilities: [{ callers: 12, cpu: 0.04 }],
      rest: 0.08,
      branching: 0.8,
      recursive: 12,
      indirect: 0.03,
    },
    seed,
  );
  return { functions, calls, objects: [], hosts: 1, processesPerHost: 1, executable: 'alara' };
}

/** B: as DRACO, 398 functions, sequential, with few bottlenecks. */
export function dracoLike(seed = 2): VirtualSpec {
  const { functions, calls } = grow(
    {
      functions: 398,
      hot: [
        { depth: 8, cpu: 0.45 },
        { depth: 5, cpu: 0.12 },
        { depth: 4, cpu: 0.08 },
      ],
      rest: 0.3,
      branching: 0.5,
      recursive: 4,
    },
    seed,
  );
  return { functions, calls, objects: [], hosts: 1, processesPerHost: 1, executable: 'draco' };
}

/** C: as om3, 36 functions, 8 processes on 8 hosts, which wait for messages and in a reduction. */
export function om3Like(seed = 3): VirtualSpec {
  const { functions, calls } = grow(
    {
      functions: 36,
      hot: [
        { depth: 3, cpu: 0.34, name: 'time_step' },
        { depth: 4, cpu: 0.16 },
        {
          depth: 4,
          cpu: 0.02,
          waits: [
            { object: 1, time: 0.21 },
            { object: 2, time: 0.05 },
          ],
          name: 'exchange',
        },
        { depth: 3, cpu: 0.01, waits: [{ object: 0, time: 0.06 }], name: 'global_sum' },
      ],
      rest: 0.12,
      branching: 0.6,
      functionsPerModule: 12,
    },
    seed,
  );
  return {
    functions,
    calls,
    objects: [
      ['Barrier', 'world'],
      ['Message', 'world:17'],
      ['Message', 'world:18'],
    ],
    slackIn: functions.findIndex(({ name }) => name === 'global_sum'),
    hosts: 8,
    processesPerHost: 1,
    variants: [() => 1, (fn) => (functions[fn]!.name === 'time_step' ? 1.15 : 1)],
    variantOf: (process) => (process === 0 ? 1 : 0),
    executable: 'om3',
  };
}

/**
 * D: as su3_rmd, 189 functions, 2 processes per host, with utility functions that are hot though none of their callers is, and message tags
 * that are used once.
 */
export function su3Like(processes = 8, seed = 4): VirtualSpec {
  const { functions, calls } = grow(
    {
      functions: 189,
      hot: [
        { depth: 6, cpu: 0.16, name: 'update_u' },
        { depth: 7, cpu: 0.1 },
        { depth: 5, cpu: 0.02, waits: [{ object: 1, time: 0.23 }], name: 'wait_gather' },
        { depth: 4, cpu: 0.01, waits: [{ object: 0, time: 0.03 }], name: 'g_doublesum' },
      ],
      utilities: [{ callers: 9, cpu: 0.33, name: 'mult_su3_nn' }],
      rest: 0.1,
      branching: 0.5,
      recursive: 2,
    },
    seed,
  );
  return {
    functions,
    calls,
    objects: [
      ['Barrier', 'world'],
      ['Message', 'world:gather'],
    ],
    slackIn: functions.findIndex(({ name }) => name === 'g_doublesum'),
    hosts: Math.ceil(processes / 2),
    processesPerHost: 2,
    tagsPerSecond: 200,
    executable: 'su3_rmd',
  };
}
