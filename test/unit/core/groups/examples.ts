import { arcContext, type Arc } from '../../../../src/core/groups/attributes/arcContext';
import type { AttributeOptions } from '../../../../src/core/groups/attributes/artificial';
import type { CallEvent } from '../../../../src/core/groups/attributes/eventContext';
import type { ProcessContext } from '../../../../src/core/groups/context';
import { membersOf } from '../../../../src/core/groups/sets/bitSet';
import { ProfileBuilder } from '../../../profileBuilder';
import type { Metric, Profile } from '../../../../src/core/profile/profile';

/** A call with its calls in order. */
export interface Call {
  readonly name: string;
  readonly calls?: readonly Call[];
}

/** `call('main', call('f'), 'g')` */
export function call(name: string, ...calls: readonly (Call | string)[]): Call {
  return { name, calls: calls.map((one) => (typeof one === 'string' ? { name: one } : one)) };
}

/** W1: the processes call the same functions, but not from the same ones. */
export const w1: readonly (readonly Call[])[] = [
  [call('main', call('MPI_Init', 'fopen', 'fclose'), 'fopen', 'fclose')],
  [call('main', call('MPI_Init', 'fopen', 'fclose'))],
];
export const w2 = [[call('A', call('B', call('C', 'D')))], [call('A', call('B', 'C'))]];
export const w3 = [[call('A', 'B')], [call('B')]];

export function eventsOf(location: CallEvent['location'], calls: readonly Call[]): CallEvent[] {
  return calls.flatMap(({ name, calls: below = [] }) => [
    { location, kind: 'enter' as const, function: name },
    ...eventsOf(location, below),
    { location, kind: 'leave' as const, function: name },
  ]);
}

export function arcsOf(calls: readonly Call[], caller?: string): Arc[] {
  return calls.flatMap(({ name, calls: below = [] }) => [
    { callee: name, count: 1, ...(caller === undefined ? {} : { caller }) },
    ...arcsOf(below, name),
  ]);
}

/** The context of processes that make the given calls, from arcs. */
export function contextOfCalls(
  programs: readonly (readonly Call[])[],
  options: AttributeOptions = {},
): ProcessContext {
  return arcContext(
    programs.map((calls, rank) => ({
      process: { name: `Rank ${rank}`, rank, thread: 0 },
      arcs: arcsOf(calls),
    })),
    options,
  );
}

/** A context of groups of processes by blocks of attributes: `[processes, [block, …]]`; the sizes of blocks by their names. */
export function contextOfBlocks(
  sizes: Readonly<Record<string, number>>,
  groups: readonly (readonly [processes: number, blocks: readonly string[]])[],
): ProcessContext {
  let rank = 0;
  return arcContext(
    groups.flatMap(([processes, blocks]) =>
      Array.from({ length: processes }, () => ({
        process: { name: `Rank ${++rank}`, rank, thread: 0 },
        arcs: blocks.flatMap((block) =>
          Array.from({ length: sizes[block]! }, (_, number) => ({ callee: `${block}${number}`, count: 1 })),
        ),
      })),
    ),
  );
}

/** `caller→callee` of each process, sorted; `0` is the virtual root. */
export function attributesOf({ attributes, sets, groupOf }: ProcessContext): string[][] {
  return Array.from(groupOf, (group) =>
    membersOf(sets[group]!)
      .map((attribute) => attributes[attribute]!)
      .map(({ caller, callee }) => `${caller ?? '0'}→${callee}`)
      .sort(),
  );
}

const metric = (name: string, unit: string): Metric => ({
  name,
  displayName: name,
  unit,
  dtype: 'DOUBLE',
  stored: 'exclusive',
  combine: 'sum',
  description: '',
});

/** A profile of processes that make the given calls; each call of a leaf takes a second. */
export function profileOfCalls(
  programs: readonly (readonly Call[])[],
  options: { readonly withoutVisits?: boolean; readonly file?: (name: string) => string | undefined } = {},
): Profile {
  const builder = new ProfileBuilder().metric(metric('time', 'sec'));
  if (options.withoutVisits !== true) builder.metric(metric('visits', 'occ'));
  const machine = builder.systemNode({ name: 'machine', kind: 'machine' });
  const regions = new Map<string, number>();
  const paths = new Map<string, number>();
  const visit = (calls: readonly Call[], location: number, above: number | undefined, key: string): void => {
    for (const { name, calls: below = [] } of calls) {
      if (!regions.has(name)) {
        const file = options.file?.(name);
        const region = {
          name,
          paradigm: 'compiler',
          role: 'function',
          ...(file === undefined ? {} : { file }),
        };
        regions.set(name, builder.region(region));
      }
      const own = `${key}/${name}`;
      if (!paths.has(own)) paths.set(own, builder.callPath(above, regions.get(name)!));
      const path = paths.get(own)!;
      if (options.withoutVisits !== true) builder.set('visits', path, location, 1);
      if (below.length === 0) builder.set('time', path, location, 1);
      visit(below, location, path, own);
    }
  };
  programs.forEach((calls, rank) => {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank, parent: machine });
    visit(
      calls,
      builder.location({ name: `Rank ${rank}`, rank, thread: 0, process, kind: 'thread' }),
      undefined,
      '',
    );
  });
  return builder.build();
}
