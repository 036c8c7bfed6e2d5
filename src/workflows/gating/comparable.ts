import type { ComparedSides } from '../../core/compare/sides';
import type { DifferenceOfSides } from '../../core/gate/differences';
import type { GateFacts, GateSide } from '../../core/gate/side';
import { meansOf } from '../../core/compare/difference';

/** A reason why the sides cannot be compared, a sentence. */
export interface Incomparable {
  /** Absent: nobody can allow it. */
  readonly what?: DifferenceOfSides;
  readonly sentence: string;
}

/** A smaller part of the candidate's time in functions that the baseline has, too, is another program. */
const leastKnown = 0.5;

/** Somebody who compares a measurement with itself mistyped its name, most likely. */
export const itself = 'Both have the same runs: a measurement does not differ from itself.';

/** Why times of the sides mean nothing for each other. */
export function incomparable(
  { facts: baseline, measured: before = [] }: GateSide,
  { facts: candidate, measured: after = [] }: GateSide,
  sides: ComparedSides,
): readonly Incomparable[] {
  const times = new Set(before.map(({ startedAt }) => startedAt));
  return [
    ...(after.some(({ startedAt }) => times.has(startedAt)) ? [{ sentence: itself }] : []),
    ...(baseline === undefined || candidate === undefined
      ? [
          {
            what: 'machine' as const,
            sentence:
              'It is not known how both were measured, because a profile lies outside of its experiment: give the folder of the measurement.',
          },
        ]
      : ofFacts(baseline, candidate)),
    ...ofProgram(sides),
  ];
}

function ofFacts(a: GateFacts, b: GateFacts): readonly Incomparable[] {
  const found: Incomparable[] = [];
  const differ = (what: DifferenceOfSides, name: string, before: string, after: string): void => {
    if (before !== after)
      found.push({
        what,
        sentence: `The baseline was measured with another ${name}: ${before}, and the candidate with ${after}.`,
      });
  };
  differ('program', 'target', a.target, b.target);
  differ('machine', 'host', a.host, b.host);
  differ('compiler', 'compiler', a.compiler, b.compiler);
  differ('input', 'command', a.command.join(' '), b.command.join(' '));
  differ('input', 'number of ranks', String(a.ranks), String(b.ranks));
  differ('input', 'number of threads', String(a.threads ?? 'not set'), String(b.threads ?? 'not set'));
  differ('input', 'set of parameters', parameterText(a), parameterText(b));
  return found;
}

function parameterText({ parameters }: GateFacts): string {
  const names = Object.keys(parameters).sort();
  return names.length === 0 ? 'none' : names.map((name) => `${name}=${parameters[name]}`).join(' ');
}

function ofProgram({ paths, runs: [first] }: ComparedSides): readonly Incomparable[] {
  const functions = new Map<number, [number, number]>();
  for (const { function: own, seconds } of paths) {
    const [before, after] = meansOf(seconds, first);
    const sums = functions.get(own) ?? [0, 0];
    functions.set(own, [sums[0] + before, sums[1] + after]);
  }
  let [known, whole] = [0, 0];
  for (const [before, after] of functions.values()) {
    whole += after;
    if (before > 0) known += after;
  }
  return known >= leastKnown * whole
    ? []
    : [
        {
          what: 'program',
          sentence:
            'Most of the candidate’s time is in functions that the baseline does not have: these may be two different programs.',
        },
      ];
}
