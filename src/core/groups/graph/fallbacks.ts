import { counted } from '../../format';
import { at, atInt, atUint } from '../../at';
import { assertNever } from '../../errors';
import { getOrMake } from '../../getOrMake';
import { functionsOf } from '../attributes/joinContexts';
import type { FunctionPair, ProcessContext } from '../context';
import { bitSetOf, type BitSet, commonOf, emptySet, hasMember, unionOf } from '../sets/bitSet';
import { membersOfGroups, listOf, pairText, processNoun } from '../words';
import { attributeBlocks, type ConceptGraph, conceptGraph } from './conceptGraph';
import { conceptLattice, latticeNodeLimit } from './lattice';

/**
 * What makes a comparison of irregular processes coarser, in the order in which it is tried: functions in place of pairs; without the
 * attributes that divide groups most; groups of equal processes without a graph; irregular processes as one.
 */
export const fallbackSteps = ['functions', 'filter', 'equality', 'combine'] as const;
export type FallbackStep = (typeof fallbackSteps)[number];

export interface GroupLimits {
  /** More groups than this are nothing that people compare. Default: 250. */
  readonly groups?: number;
  /** Of the graph; with `withLattice` of the whole lattice. Default: 5000. */
  readonly nodes?: number;
  /** Whether the whole lattice must stay within the limit of nodes. Default: no, as nothing but its picture needs it. */
  readonly withLattice?: boolean;
}

/** A context that can be compared, and what was given up for it. */
export interface Comparable {
  readonly context: ProcessContext;
  /** Absent where only equality is known, or there are still more groups than the limit. */
  readonly graph?: ConceptGraph;
  /** The last step taken; absent: none was needed. */
  readonly step?: FallbackStep;
  /** Attributes that are not compared. */
  readonly dropped: readonly FunctionPair[];
  /** The group of irregular processes, which are compared as one. */
  readonly combined?: number;
  /** A sentence for each step that was taken or tried. */
  readonly notices: readonly string[];
}

interface Limits {
  readonly groups: number;
  readonly nodes: number;
  readonly withLattice: boolean;
}

/** A filter that drops more than this share of the attributes would compare another program. */
const mostDropped = 0.5;

/** The context as it is where it keeps within the limits, else after the first steps that make it so. */
export function comparableWithin(given: ProcessContext, options: GroupLimits = {}): Comparable {
  const limits = withDefaults(options);
  let current: Comparable = { context: given, dropped: [], notices: [] };
  const notices: string[] = [];
  let excess = excessOf(given, limits);
  for (const step of fallbackSteps) {
    if (excess === undefined) break;
    // What filters gave up is not given up for equality, which needs no smaller context.
    const from = step === 'functions' || step === 'filter' ? current.context : given;
    const next = takeStep(from, step, limits);
    if (next === undefined) continue;
    notices.push(`${excess} ${next.notices.join(' ')}`);
    current = next;
    excess = excessOf(next.context, step === 'equality' ? { ...limits, nodes: Infinity } : limits);
    if (step === 'combine') break;
  }
  return { ...withGraph(current, limits), notices };
}

/** The context after one step, whether it is needed or not. */
export function comparableAfter(
  context: ProcessContext,
  step: FallbackStep,
  options: GroupLimits = {},
): Comparable {
  const limits = withDefaults(options);
  const taken = takeStep(context, step, limits);
  return withGraph(taken ?? { context, dropped: [], notices: [unchanged[step]] }, limits);
}

/** Why a step leaves the context as it is. */
const unchanged = {
  functions: 'Ranks and threads are compared by functions already.',
  filter:
    'All attributes are compared: none divides the groups beyond the limit, or more than half of them would be dropped.',
  equality: '',
  combine: 'There are no two ranks or threads that are equal to few others and could be compared as one.',
} satisfies Record<FallbackStep, string>;

function withDefaults({ groups = 250, nodes = latticeNodeLimit, withLattice = false }: GroupLimits): Limits {
  return { groups, nodes, withLattice };
}

/** The graph is quadratic in groups, which the limit bounds. */
function withGraph(comparable: Comparable, { groups }: Limits): Comparable {
  const { context, step } = comparable;
  return step === 'equality' || context.sets.length > groups
    ? comparable
    : { ...comparable, graph: conceptGraph(context) };
}

/** Why a context is beyond the limits, as a sentence; undefined: it is not. */
function excessOf(context: ProcessContext, { groups, nodes, withLattice }: Limits): string | undefined {
  const by = context.kind === 'pairs' ? 'pairs of caller and callee' : 'functions';
  const count = context.sets.length;
  if (count > groups)
    return `Comparing ${by} gives ${counted(count, 'group')}, more than the limit of ${groups}.`;
  if (nodes === Infinity) return undefined;
  const exceeds = withLattice
    ? !conceptLattice(context, nodes).isComplete
    : conceptGraph(context).nodes.length > nodes;
  return exceeds
    ? `Comparing ${by} gives a ${withLattice ? 'lattice' : 'graph'} of more than ${nodes} nodes, which is the limit.`
    : undefined;
}

/** Undefined where the step changes nothing. */
function takeStep(context: ProcessContext, step: FallbackStep, limits: Limits): Comparable | undefined {
  switch (step) {
    case 'functions':
      return context.kind === 'functions' ? undefined : byFunctions(context);
    case 'filter':
      return filtered(context, limits);
    case 'equality':
      return {
        context,
        step,
        dropped: [],
        notices: [
          'Ranks and threads that make the same calls are grouped, without similarities and differences of the groups.',
        ],
      };
    case 'combine':
      return combined(context, limits.groups);
    default:
      return assertNever(step);
  }
}

function byFunctions(context: ProcessContext): Comparable {
  return {
    context: functionsOf(context),
    step: 'functions',
    dropped: [],
    notices: ['Ranks and threads are compared by the functions that they call, whatever calls these.'],
  };
}

/**
 * Attributes that always occur together are kept or dropped together, and those of the largest blocks are kept first: irregular
 * attributes agree with few others.
 */
function filtered(context: ProcessContext, limits: Limits): Comparable | undefined {
  const blocks = [...attributeBlocks(context)].sort((a, b) => b.length - a.length || at(a, 0) - at(b, 0));
  const fits = (count: number): boolean =>
    excessOf(keeping(context, blocks.slice(0, count)), limits) === undefined;
  // More attributes never make fewer groups or nodes.
  let [fitting, tooMany] = [0, blocks.length + 1];
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  const drops = blocks.slice(fitting).flat();
  const all = blocks.reduce((sum, block) => sum + block.length, 0);
  if (drops.length === 0 || drops.length > mostDropped * all) return undefined;
  const dropped = drops.map((attribute) => at(context.attributes, attribute));
  const noun = context.kind === 'pairs' ? 'pair' : 'function';
  const [are, them] = drops.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return {
    context: keeping(context, blocks.slice(0, fitting)),
    step: 'filter',
    dropped,
    notices: [
      `${drops.length} of ${counted(all, noun)} ${are} not compared, because the ranks and threads that have ${them} follow no pattern: ${listOf(dropped, pairText)}.`,
    ],
  };
}

function keeping(context: ProcessContext, blocks: readonly (readonly number[])[]): ProcessContext {
  const kept = bitSetOf(blocks.flat(), context.attributes.length);
  return regrouped(
    context,
    context.sets.map((set) => commonOf(set, kept)),
  );
}

/** Groups of several processes stay, at most the limit; the processes of the others are one group, which has all attributes of them. */
function combined(context: ProcessContext, limit: number): Comparable | undefined {
  const members = membersOfGroups(context);
  const regular = new Set(
    [...members.keys()]
      .filter((group) => at(members, group).length > 1)
      .sort((a, b) => at(members, b).length - at(members, a).length || a - b)
      .slice(0, Math.max(0, limit - 1)),
  );
  const irregular = [...members.keys()].filter((group) => !regular.has(group));
  if (irregular.length < 2) return undefined;
  const all = irregular.reduce<BitSet>(
    (set, group) => unionOf(set, at(context.sets, group)),
    emptySet(context.attributes.length),
  );
  const isIrregular = bitSetOf(irregular, members.length);
  const result = regrouped(
    context,
    context.sets.map((set, group) => (hasMember(isIrregular, group) ? all : set)),
  );
  const count = irregular.reduce((sum, group) => sum + at(members, group).length, 0);
  return {
    context: result,
    step: 'combine',
    dropped: [],
    combined: atInt(result.groupOf, at(at(members, at(irregular, 0)), 0)),
    notices: [
      `${counted(count, processNoun(context.processes))} that are equal to none or few others are compared as one, which does everything that any of them does.`,
    ],
  };
}

/** The same with groups whose sets are equal as one. */
export function withoutEqualGroups(context: ProcessContext): ProcessContext {
  return regrouped(context, context.sets);
}

/** A context whose groups have other sets; those that became equal are one group. Groups keep the order of their first members. */
function regrouped(context: Omit<ProcessContext, 'sets'>, sets: readonly BitSet[]): ProcessContext {
  const numbers = new Map<string, number>();
  const different: BitSet[] = [];
  const groups = Uint32Array.from(sets, (set) =>
    getOrMake(numbers, set.join(), () => different.push(set) - 1),
  );
  return {
    ...context,
    sets: different,
    groupOf: context.groupOf.map((group) => atUint(groups, group)),
  };
}
