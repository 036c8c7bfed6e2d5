import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accumulateKnowledge, type Knowledge } from '../../../../src/core/knowledge/knowledge';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { nextSelection, type NextSelection } from '../../../../src/core/strategies/nextSelection';
import {
  intervalsOf,
  sameFunctions,
  selectedKeys,
  type Selection,
} from '../../../../src/core/selection/selection';
import {
  defaultSelectionOptions,
  type SelectionOptions,
} from '../../../../src/core/selection/selectionOptions';
import {
  anyProgram,
  countedIn,
  costs,
  graphOfProgram,
  measure,
  overheadPercent,
  sampledCosts,
  sitesOf,
  truthOf,
  type SimulatedProgram,
} from './simulatedProgram';

const target = 5;
/** What predictions may fill. */
const aim = target * defaultSelectionOptions.aimShare;
const maximumRuns = 12;

interface Refinement {
  readonly steps: readonly NextSelection[];
  readonly final: ReadonlySet<string>;
  readonly selection: Selection;
  readonly knowledge: Knowledge;
}

/** The refinement loop without a machine: measures by simulation until the selection does not change. */
function refine(
  program: SimulatedProgram,
  options: Partial<SelectionOptions> = {},
  runs = maximumRuns,
  pairCosts = costs,
): Refinement {
  const graph = graphOfProgram(program);
  const sites = sitesOf(program);
  const baselineSeconds = truthOf(program).seconds;
  const steps: NextSelection[] = [];
  let knowledge: Knowledge | undefined;
  for (let run = 0; ; run++) {
    const step = nextSelection({
      graph,
      sites,
      ...(knowledge === undefined ? {} : { knowledge }),
      pairCosts,
      baselineSeconds,
      ...(steps.length === 0 ? {} : { previous: steps.at(-1)!.selection }),
      remainingRuns: runs - run,
      options: { overheadPercent: target, ...options },
    });
    const before = steps.at(-1);
    if (
      knowledge !== undefined &&
      (run === runs || (before !== undefined && sameFunctions(before.selection, step.selection)))
    ) {
      const last = run === runs ? before! : step;
      return { steps, final: new Set(selectedKeys(last.selection)), selection: last.selection, knowledge };
    }
    steps.push(step);
    const selected = selectedKeys(step.selection);
    knowledge = accumulateKnowledge(
      knowledge,
      measure(program, new Set(selected), intervalsOf(step.selection), countedIn(step.selection)),
      graph,
      pairCosts,
      selected,
      sites,
    );
  }
}

const cost = (program: SimulatedProgram, index: number): number =>
  overheadPercent(program, new Set([program.functions[index]!.name]));

/** Positions of functions with a site and at least 5 % exclusive time. */
function hotSpots(program: SimulatedProgram): readonly number[] {
  const truth = truthOf(program);
  return program.functions.flatMap((f, index) =>
    f.site !== undefined && truth.exclusiveSeconds[index]! >= 0.0501 * truth.seconds ? [index] : [],
  );
}

const isLeaf = (program: SimulatedProgram, index: number): boolean =>
  program.functions[index]!.calls.every(({ times }) => times === 0);

/** With as many visits timed as there have to be. */
const sampledPercent = (program: SimulatedProgram, index: number): number => {
  const { name } = program.functions[index]!;
  const most = Math.log2(truthOf(program).visits[index]! / 16384);
  if (most < 4) return cost(program, index);
  return overheadPercent(program, new Set([name]), new Map([[name, 2 ** Math.min(9, Math.floor(most))]]));
};

/** Positions of functions with a site that count as hot, with the doubt that a large cost of recording leaves. */
const perhapsHot = (program: SimulatedProgram): readonly number[] => {
  const truth = truthOf(program);
  return program.functions.flatMap((f, index) => {
    const percent = (100 * truth.exclusiveSeconds[index]!) / truth.seconds + 0.25 * cost(program, index);
    return f.site !== undefined && percent >= 4 ? [index] : [];
  });
};

describe('knowledge', () => {
  it('takes the cost of measuring off: times do not depend on what was recorded', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const all = sitesOf(program);
        // Of a run that is nearly all measuring, a tenth is taken as the program's own without a baseline.
        fc.pre(overheadPercent(program, new Set(all.keys())) < 890);
        const graph = graphOfProgram(program);
        const truth = truthOf(program);
        const knowledge = accumulateKnowledge(
          undefined,
          measure(program, new Set(all.keys())),
          graph,
          costs,
          all.keys(),
          all,
        );
        program.functions.forEach((f, index) => {
          const known = knowledge.functions.get(f.name);
          if (f.site === undefined) return;
          expect(known?.visits).toBe(truth.visits[index]);
          if (known !== undefined && known.visits > 0) {
            const scale = truth.seconds * 1e-6 + truth.inclusiveSeconds[index]! * 1e-6;
            expect(Math.abs(known.inclusiveSeconds - truth.inclusiveSeconds[index]!)).toBeLessThan(scale);
            const hidden = f.calls.some(({ callee }) => program.functions[callee]!.site === undefined);
            if (!hidden)
              expect(Math.abs(known.exclusiveSeconds - truth.exclusiveSeconds[index]!)).toBeLessThan(scale);
          }
        });
        expect(Math.abs(knowledge.runSeconds / truth.seconds - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  it('remembers functions that were recorded and never executed', () => {
    const program: SimulatedProgram = {
      functions: [
        {
          name: 'main',
          ownSeconds: 1,
          statements: 50,
          loopDepth: 1,
          site: 'probe',
          calls: [{ callee: 1, times: 0 }],
        },
        { name: 'never', ownSeconds: 1, statements: 50, loopDepth: 1, site: 'probe', calls: [] },
      ],
    };
    const { selection } = refine(program);
    expect(selection.decisions.get('never')).toMatchObject({
      selected: false,
      reason: { rule: 'not-executed' },
    });
  });
});

describe('a refinement', () => {
  it('ends within the target whenever the entry function alone is, and soon', () => {
    const counts: number[] = [];
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { steps, final } = refine(program);
        counts.push(steps.length);
        if (cost(program, 0) <= target)
          expect(overheadPercent(program, final)).toBeLessThanOrEqual(target + 1e-6);
        expect(steps.length).toBeLessThan(maximumRuns);
      }),
      { numRuns: 300, seed: 1 },
    );
    counts.sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length * 0.95)]).toBeLessThanOrEqual(5);
  });

  it('keeps within the target when only five runs are allowed', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { final } = refine(program, {}, 5);
        if (cost(program, 0) <= target)
          expect(overheadPercent(program, final)).toBeLessThanOrEqual(target + 1e-6);
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it('keeps every hot spot that predictions within the target allow', () => {
    let seen = 0;
    let missed = 0;
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { final } = refine(program, {}, 5);
        const hot = hotSpots(program).filter((index) => index !== 0);
        const total = hot.reduce((sum, index) => sum + cost(program, index), cost(program, 0));
        if (total > target * defaultSelectionOptions.aimShare) return;
        for (const index of hot) {
          seen++;
          if (!final.has(program.functions[index]!.name)) missed++;
        }
      }),
      { numRuns: 400, seed: 3 },
    );
    expect(seen).toBeGreaterThan(200);
    expect({ seen, missed }).toEqual({ seen, missed: 0 });
  });

  it('counts what it cannot time: hot spots without recorded callees stay in, within the target', () => {
    let [sampled, kept, fits] = [0, 0, 0];
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { final, selection } = refine(program, {}, maximumRuns, sampledCosts);
        const intervals = intervalsOf(selection);
        const mandatory = cost(program, 0);
        // The simulation throws when something is recorded below one that is sampled.
        const overhead = overheadPercent(program, final, intervals);
        expect(overhead).toBeLessThanOrEqual(Math.max(target, mandatory) + 1e-9);
        sampled += intervals.size;
        for (const interval of intervals.values())
          expect([16, 32, 64, 128, 256, 512, 1024]).toContain(interval);
        const leaves = hotSpots(program).filter((index) => index !== 0 && isLeaf(program, index));
        // Also what holds the time of callees that were too small or too much of a risk to look at.
        const isHotSpot = (name: string): boolean =>
          selection.decisions.get(name)?.reason.rule === 'hot-spot';
        const shown = program.functions.flatMap(({ name }, index) => (isHotSpot(name) ? [index] : []));
        const rivals = [...new Set([...perhapsHot(program), ...shown])].filter((index) => index !== 0);
        const least = rivals.reduce(
          (sum, index) =>
            sum + (isLeaf(program, index) ? sampledPercent(program, index) : cost(program, index)),
          mandatory,
        );
        if (least > aim) return;
        // What would be too much of a risk to look at is not known to be hot.
        const known = leaves.filter(
          (index) => selection.decisions.get(program.functions[index]!.name)!.reason.rule !== 'not-measured',
        );
        fits += known.length;
        kept += known.filter((index) => final.has(program.functions[index]!.name)).length;
      }),
      { numRuns: 400, seed: 8 },
    );
    expect(sampled).toBeGreaterThan(30);
    expect(fits).toBeGreaterThan(150);
    expect({ fits, kept }).toEqual({ fits, kept: fits });
  });

  it('is deterministic and decides every function with a reason that can be told', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const once = refine(program);
        const twice = refine(program);
        expect([...once.selection.decisions]).toEqual([...twice.selection.decisions]);
        expect([...once.selection.decisions.keys()]).toEqual(program.functions.map((f) => f.name));
        for (const { selected, reason } of once.selection.decisions.values()) {
          const sentence = explainReason(reason);
          expect(sentence.startsWith(selected ? 'in: ' : 'out: ')).toBe(true);
          expect(sentence).not.toMatch(/undefined|NaN|–/);
        }
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('respects pins whatever they cost', () => {
    fc.assert(
      fc.property(anyProgram, fc.nat(30), fc.nat(30), (program, a, b) => {
        const pick = (n: number): string => program.functions[1 + (n % (program.functions.length - 1))]!.name;
        const [wanted, unwanted] = [pick(a), pick(b)];
        if (wanted === unwanted) return;
        const { final } = refine(program, { pinnedIn: new Set([wanted]), pinnedOut: new Set([unwanted]) });
        expect(final.has(wanted)).toBe(sitesOf(program).has(wanted));
        expect(final.has(unwanted)).toBe(false);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('predicts exactly what a confirmed selection costs', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { steps, final } = refine(program);
        const last = steps.at(-1)!;
        if (last.prediction.unmeasured > 0 || !sameFunctions(last.selection, refine(program).selection))
          return;
        expect(last.prediction.overheadPercent).toBeCloseTo(overheadPercent(program, final), 6);
      }),
      { numRuns: 100, seed: 6 },
    );
  });

  it('adds nothing new when it may only filter', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const { steps, final } = refine(program, { mode: 'filter-only' });
        const first = new Set(selectedKeys(steps[0]!.selection));
        for (const key of final) expect(first.has(key)).toBe(true);
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
