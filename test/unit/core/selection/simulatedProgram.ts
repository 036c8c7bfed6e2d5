import fc from 'fast-check';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { ProfileBuilder } from '../../../profileBuilder';
import { samplingAttribute, standardMetrics, timedVisitsMetric } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import type { Selection } from '../../../../src/core/selection/selection';
import type { PairCosts, SiteKind } from '../../../../src/core/cost/pairCost';
import { fn } from './graphs';

/** A deterministic program: what each visit of a function spends itself and whom it calls how often. */
export interface SimulatedProgram {
  readonly functions: readonly SimulatedFunction[];
  /** What recording costs where it runs, in every visit; default: `costs`. */
  readonly costs?: PairCosts;
}

export interface SimulatedFunction {
  readonly name: string;
  readonly ownSeconds: number;
  readonly statements: number;
  readonly loopDepth: number;
  readonly site: SiteKind | undefined;
  /** Callees have larger positions. */
  readonly calls: readonly { readonly callee: number; readonly times: number }[];
}

export const costs: PairCosts = {
  probe: { pairSeconds: 17e-9, insideSeconds: 9e-9, outsideSeconds: 8e-9 },
  entry: { pairSeconds: 20e-9, insideSeconds: 11e-9, outsideSeconds: 9e-9 },
};

/** The same where not every visit has to be timed. */
export const sampledCosts: PairCosts = {
  probe: { ...costs.probe, sampled: { countedSeconds: 2.5e-9, pairSeconds: 24e-9, insideSeconds: 10e-9 } },
  entry: { ...costs.entry, sampled: { countedSeconds: 1.5e-9, pairSeconds: 27e-9, insideSeconds: 10e-9 } },
};

export interface Truth {
  readonly visits: readonly number[];
  readonly exclusiveSeconds: readonly number[];
  readonly inclusiveSeconds: readonly number[];
  readonly seconds: number;
}

export function truthOf(program: SimulatedProgram): Truth {
  const visits = program.functions.map((_, index) => (index === 0 ? 1 : 0));
  program.functions.forEach((f, index) => {
    for (const { callee, times } of f.calls) visits[callee]! += visits[index]! * times;
  });
  const perVisit = program.functions.map((f) => f.ownSeconds);
  for (let index = perVisit.length - 1; index >= 0; index--) {
    for (const { callee, times } of program.functions[index]!.calls)
      perVisit[index]! += times * perVisit[callee]!;
  }
  return {
    visits,
    exclusiveSeconds: program.functions.map((f, index) => f.ownSeconds * visits[index]!),
    inclusiveSeconds: perVisit.map((seconds, index) => seconds * visits[index]!),
    seconds: perVisit[0]!,
  };
}

export function graphOfProgram(program: SimulatedProgram): CallGraph {
  return {
    functions: program.functions.map((f) =>
      fn(f.name, {
        statements: f.statements,
        loopDepth: f.loopDepth,
        loops: f.loopDepth,
        mangledName: f.name,
        definitions: [['0000000000000000', 0]],
      }),
    ),
    edges: program.functions.map((f) =>
      [...new Set(f.calls.map((c) => c.callee))]
        .sort((a, b) => a - b)
        .map((callee) => ({ callee, kind: 'direct' as const })),
    ),
    entry: 0,
  };
}

export function sitesOf(program: SimulatedProgram): Map<string, SiteKind> {
  return new Map(program.functions.flatMap((f) => (f.site === undefined ? [] : [[f.name, f.site] as const])));
}

/** Overhead of a run with these functions recorded, percent. */
export function overheadPercent(
  program: SimulatedProgram,
  selected: ReadonlySet<string>,
  intervals: ReadonlyMap<string, number> = new Map(),
): number {
  const truth = truthOf(program);
  const seconds = program.functions.reduce((sum, f, index) => {
    if (!selected.has(f.name)) return sum;
    const { pairs } = costOfVisits(program, f, truth.visits[index]!, intervals.get(f.name));
    return sum + pairs;
  }, 0);
  return (seconds / truth.seconds) * 100;
}

/** What so many visits cost in all, and inside the function's own measured time. */
function costOfVisits(
  { costs: own = costs }: SimulatedProgram,
  { site = 'entry' }: SimulatedFunction,
  visits: number,
  interval: number | undefined,
): { readonly timed: number; readonly pairs: number; readonly inside: number } {
  const { sampled } = sampledCosts[site];
  if (interval === undefined || sampled === undefined)
    return {
      timed: visits,
      pairs: visits * own[site].pairSeconds,
      inside: visits * own[site].insideSeconds,
    };
  const timed = visits / interval;
  return {
    timed,
    pairs: timed * sampled.pairSeconds + (visits - timed) * sampled.countedSeconds,
    inside: timed * sampled.insideSeconds,
  };
}

/**
 * The profile that a run with these functions recorded gives: a call tree of recorded functions, with the cost of recording in the times.
 * Of the functions in `intervals` one in so many visits is timed, and the estimate is perfect; something recorded below them is an error,
 * but for those that are `counted` to learn their visits: there it hangs under their caller.
 */
export function measure(
  program: SimulatedProgram,
  selected: ReadonlySet<string>,
  intervals: ReadonlyMap<string, number> = new Map(),
  counted: ReadonlySet<string> = new Set(),
): Profile {
  const builder = new ProfileBuilder();
  builder.metric(standardMetrics.visits).metric(standardMetrics.time).metric(timedVisitsMetric);
  const process = builder.systemNode({ name: 'process', kind: 'process', rank: 0 });
  builder.location({ name: 'thread', rank: 0, thread: 0, process, kind: 'thread' });
  const regions = program.functions.map((f) =>
    builder.region({
      name: f.name,
      mangledName: f.name,
      paradigm: 'compiler',
      role: 'function',
      ...(intervals.has(f.name)
        ? { attributes: new Map([[samplingAttribute, String(intervals.get(f.name))]]) }
        : {}),
    }),
  );
  const root = builder.region({ name: 'PROGRAM', paradigm: 'measurement', role: 'artificial' });
  interface Node {
    readonly children: Map<number, Node>;
    visits: number;
    timed: number;
    exclusive: number;
    sampled: boolean;
  }
  const node = (): Node => ({ children: new Map(), visits: 0, timed: 0, exclusive: 0, sampled: false });
  const top = node();
  top.visits = top.timed = 1;
  const walk = (index: number, visits: number, above: Node): void => {
    const f = program.functions[index]!;
    let here = above;
    if (selected.has(f.name)) {
      if (above.sampled) throw new Error(`${f.name} is recorded below a function that is sampled`);
      const cost = costOfVisits(program, f, visits, intervals.get(f.name));
      here = above.children.get(index) ?? node();
      here.sampled = intervals.has(f.name);
      above.children.set(index, here);
      here.visits += visits;
      here.timed += cost.timed;
      here.exclusive += cost.inside;
      above.exclusive += cost.pairs - cost.inside;
    }
    here.exclusive += visits * f.ownSeconds;
    const below = counted.has(f.name) ? above : here;
    for (const { callee, times } of f.calls) walk(callee, visits * times, below);
  };
  walk(0, 1, top);
  const emit = (index: number, tree: Node, parent: number | undefined): number => {
    const path = builder.callPath(parent, index === -1 ? root : regions[index]!);
    let inclusive = tree.exclusive;
    for (const [child, below] of tree.children) inclusive += emit(child, below, path);
    builder.set('visits', path, 0, tree.visits).set('time', path, 0, inclusive);
    builder.set(timedVisitsMetric.name, path, 0, tree.timed);
    return inclusive;
  };
  emit(-1, top, undefined);
  return builder.build();
}

/** What is only counted, to learn how often it is called. */
export function countedIn({ decisions }: Selection): ReadonlySet<string> {
  return new Set(
    [...decisions.values()]
      .filter((d) => d.selected && d.reason.countedFirst !== undefined)
      .map((d) => d.key),
  );
}

/** A second of run time spread over random functions: few hot ones, many cold ones, visits from one to hundreds of millions. */
export const anyProgram = fc.nat(0xffffffff).map(randomProgram);

export function randomProgram(seed: number): SimulatedProgram {
  const random = mulberry32(seed);
  const pick = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const size = pick(4, 24);
  const calls = Array.from({ length: size }, (_, index) =>
    Array.from({ length: pick(1, 3) }, () => ({
      callee: index + pick(1, 5),
      times: [1, 1, 2, 10, 100, 1000][pick(0, 5)]!,
    })).filter(({ callee }) => callee < size),
  );
  for (let callee = 1; callee < size; callee++) {
    const called = calls.some((list) => list.some((call) => call.callee === callee));
    if (!called && random() < 0.8)
      calls[pick(Math.max(0, callee - 3), callee - 1)]!.push({ callee, times: 10 ** pick(0, 2) });
  }
  const visits = calls.map((_, index) => (index === 0 ? 1 : 0));
  calls.forEach((list, index) => {
    for (const [position, call] of [...list.entries()].reverse()) {
      const more = visits[index]! * call.times;
      // More visits than this do not fit into a second.
      if (visits[call.callee]! + more > 1e8) list.splice(position, 1);
      else visits[call.callee]! += more;
    }
  });
  const weights = visits.map((count) => (count > 0 ? 10 ** (-4 * random()) : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    functions: weights.map((weight, index) => {
      const ownSeconds = visits[index]! > 0 ? weight / total / visits[index]! : 1e-6;
      // How well statements tell the time: within a factor of five, loops apart.
      const statements = (ownSeconds / 2e-9) * 5 ** (2 * random() - 1);
      const loopDepth = statements > 40 ? pick(1, 2) : 0;
      return {
        name: index === 0 ? 'main' : `f${index}`,
        ownSeconds,
        statements: Math.max(1, Math.round(Math.min(60, statements))),
        loopDepth,
        site:
          index === 0 || statements > 10
            ? random() < 0.9
              ? 'probe'
              : undefined
            : random() < 0.5
              ? 'entry'
              : undefined,
        calls: calls[index]!,
      };
    }),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
