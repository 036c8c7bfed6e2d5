import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import {
  resourceTrees,
  wholeProgram,
  type Focus,
  type ResourceTree,
} from '../../../../../src/core/diagnosis/resources/focus';
import { printFocus } from '../../../../../src/core/diagnosis/resources/focusText';
import { focusOf, io, nameOf, placeOf, programOf, smallIo, sync, VirtualRun, type Model } from './virtualRun';

const hypotheses = [io, smallIo, { ...sync, expansion: 'why-and-where' } as const];
const quick = { minTimeToTrue: 2, minTimeToFalse: 3, minObservation: 0, completeAfter: 5 };

/** A number in [0, 1) for a text that is always the same. */
function chance(text: string): number {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Programs with random calls (also in circles), machines and objects, where any experiment may be true. */
const programs = fc
  .record({
    edges: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 16 }),
    hosts: fc.nat(3),
    processes: fc.nat(2),
    tags: fc.nat(3),
    share: fc.constantFrom(0.4, 0.7, 0.9, 1),
    seed: fc.nat(1_000_000),
    delay: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ edges, hosts, processes, tags, share, seed, delay }): Model => {
    const calls: Record<string, string[]> = { '': ['f0'] };
    for (const [from, to] of edges) {
      const callees = (calls[`f${from}`] ??= []);
      if (!callees.includes(`f${to}`)) callees.push(`f${to}`);
    }
    const names = (letter: string, count: number) =>
      Array.from({ length: count }, (_, number) => `${letter}${number}`);
    const machines: Record<string, readonly string[]> = { '': names('c', hosts) };
    for (const host of names('c', hosts)) machines[host] = names('p', processes);
    return {
      hypotheses,
      calls,
      machines,
      objects: { '': ['Message'], Message: names('tag', tags) },
      value: (hypothesis, at) => {
        const holds = at === '- - -' || chance(`${seed} ${hypothesis} ${at}`) < share;
        return (hypothesis === 'SmallIO') === holds ? 0 : 9999;
      },
      cost: (hypothesis, at) => chance(`cost ${seed} ${hypothesis} ${at}`) * 0.1,
      rules: quick,
      delay,
    };
  });

interface Way {
  readonly tree?: ResourceTree;
  readonly searched: readonly ResourceTree[];
}

/** All that a search with this order of refinement can find, by going through it at once, each way for itself. */
function reachable(model: Model): ReadonlySet<string> {
  const program = programOf(model);
  const visited = new Set<string>();
  const found = new Set<string>();
  const isTrue = ({ id, holds, threshold }: Hypothesis, focus: Focus): boolean =>
    model.value(id, placeOf(focus), 0) > threshold === (holds === 'above');
  const parts = (focus: Focus, tree: ResourceTree): readonly Focus[] => {
    const of = focus[tree];
    if (tree !== 'Code')
      return program.children(tree, of).map((name) => ({ ...focus, [tree]: [...of, name] }));
    return (of.length === 0 ? program.entries : program.callees(of))
      .map((Code) => ({ ...focus, Code }))
      .filter((part) => printFocus(part) !== printFocus(focus));
  };
  /** @returns whether there is anything to refine to */
  function refine(hypothesis: Hypothesis, focus: Focus, { tree, searched }: Way): boolean {
    const trees = resourceTrees.filter((other) => !hypothesis.pruned.includes(other));
    if (tree === undefined) {
      const families = trees.map((each) => ({ each, here: parts(focus, each) }));
      for (const { each, here } of families)
        for (const part of here) visit(hypothesis, part, { tree: each, searched: [] });
      return families.some(({ here }) => here.length > 0);
    }
    let hasParts = false;
    const done = [...searched];
    for (const each of [tree, ...trees.filter((other) => other !== tree && !searched.includes(other))]) {
      const here = trees.includes(each) ? parts(focus, each) : [];
      hasParts ||= here.length > 0;
      for (const part of here) visit(hypothesis, part, { tree: each, searched: [...done] });
      if (here.some((part) => isTrue(hypothesis, part))) break;
      done.push(each);
    }
    return hasParts;
  }
  function visit(hypothesis: Hypothesis, focus: Focus, way: Way): void {
    const name = nameOf({ hypothesis: hypothesis.id, focus });
    const state = `${name} ${way.tree ?? ''} ${[...way.searched].sort().join(' ')}`;
    if (visited.has(state) || !isTrue(hypothesis, focus)) return;
    visited.add(state);
    found.add(name);
    if (refine(hypothesis, focus, way) && hypothesis.expansion === 'where-before-why') return;
    for (const id of hypothesis.children)
      visit(hypotheses.find((child) => child.id === id) ?? hypothesis, focus, way);
  }
  for (const top of [io, hypotheses[2] ?? io]) visit(top, wholeProgram, { searched: [] });
  return found;
}

describe('searches of random programs', () => {
  test('P5: without a limit, all true experiments that true ones lead to are found, and no other one', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const run = new VirtualRun({ ...program, cost: () => 0, rules: { ...quick, maxActive: Infinity } });
        run.start().finish();
        expect([...run.found].sort()).toEqual([...reachable(program)].sort());
        expect(new Set(run.names).size).toBe(run.names.length);
      }),
      { numRuns: 150 },
    );
  });

  test('P7: with a limit the same is found, and measuring never costs more than the limit', () => {
    fc.assert(
      fc.property(
        programs,
        fc.boolean(),
        fc.integer({ min: 2, max: 40 }),
        (program, observesCost, maxActive) => {
          const run = new VirtualRun({
            ...program,
            observesCost,
            rules: { ...quick, maxActive: maxActive + 2, maxPending: 5 },
          });
          run.start().finish();
          expect(run.highestShare).toBeLessThanOrEqual(1 / 3 + 1e-9);
          expect(run.mostMeasured).toBeLessThanOrEqual(maxActive + 2);
          expect([...run.found].sort()).toEqual([...reachable(program)].sort());
        },
      ),
      { numRuns: 100 },
    );
  });

  test('P5: a true experiment in a complete search has its parts, each false one has concluded, and its measurement is removed', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const run = new VirtualRun(program);
        run.start().finish();
        for (const node of run.nodes) {
          expect(node.truth).not.toBe('unknown');
          expect(node.conclusions.at(-1)?.truth).toBe(node.truth);
          const isRoot = node.parents.some(({ by }) => by === 'root');
          if (node.truth === 'false' && !isRoot) expect(node.activity).toBe('inactive');
          if (isRoot) expect(node.activity).toBe('active');
          const [first] = node.parents;
          if (first?.node !== undefined) {
            expect(first.node).toBeLessThan(node.id);
            expect(run.search.node(first.node).truth).toBe('true');
          }
        }
        for (const name of run.found) {
          const [hypothesis = '', ...place] = name.split(' ');
          const { Code } = focusOf(place.join(' '));
          if (!run.parentsOf(name).includes('root') || hypothesis === 'SmallIO') continue;
          for (const callee of Code.length === 0 ? ['f0'] : [])
            expect(run.names).toContain(`${hypothesis} ${callee} - -`);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('the same events give the same commands', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const [one, two] = [new VirtualRun(program), new VirtualRun(program)].map((run) =>
          run.start().finish(),
        );
        expect(one?.commands).toEqual(two?.commands);
        expect(one?.search.record()).toEqual(two?.search.record());
      }),
      { numRuns: 10 },
    );
  });

  test('30,000 nodes: each event is handled in a time that does not grow with the search', () => {
    // 10 levels of 3,000 functions; each function of a level calls two of the next, one of them like all others, and main all of the first.
    const calls: Record<string, string[]> = {
      '': ['main'],
      main: Array.from({ length: 3000 }, (_, number) => `f0_${number}`),
    };
    for (let level = 0; level < 9; level++)
      for (let number = 0; number < 3000; number++)
        calls[`f${level}_${number}`] = [`f${level + 1}_${number}`, `f${level + 1}_0`];
    const run = new VirtualRun({
      calls,
      value: () => 1,
      rules: { ...quick, minTimeToTrue: 1, maxActive: Infinity, maxPending: Infinity },
    });
    run.start().finish();
    expect(run.found).toHaveLength(30_002);
  });
});
