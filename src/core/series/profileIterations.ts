import { remembered } from '../remembered';
import { at, atInt, atUint } from '../at';
import { isIteration } from '../profile/foldIterations';
import type { Profile, Region } from '../profile/profile';
import { subtreeEnds } from '../profile/tree';

/** Iterations in a profile: one or more call paths each, all below the phase. */
export interface ProfileIterations {
  /** Position of the phase's region. */
  readonly phase: number;
  /** Iteration, from 0, of each call path that is one; -1 for all others. */
  readonly iterationAt: Int32Array;
  readonly iterations: number;
}

interface Candidate {
  readonly phase: number;
  /** Call paths and the numbers in their names. */
  readonly roots: { readonly callPath: number; readonly number: number }[];
  /** Whether an iteration of this phase is below an iteration of another phase. */
  isNested: boolean;
}

/**
 * Iterations as Score-P writes them: below the phase, a user region of type “dynamic”, one call path `instance=N` per iteration (Score-P user
 * manual, dynamic regions). A loop with a parameter region, `step=N`, has them below the region that it is in. With several phases,
 * the outermost counts, and among several such the one with the most iterations.
 *
 * @param wanted name of the phase, or of the parameter; default: the phase that a dynamic region is
 */
export function iterationsIn(
  { callPaths, regions }: Pick<Profile, 'callPaths' | 'regions'>,
  wanted?: string,
): ProfileIterations | undefined {
  const numbers = regions.map((region) => numberIn(region));
  const candidates = new Map<string, Candidate>();
  const ends = subtreeEnds(callPaths);
  let outerEnd = 0;
  for (let callPath = 0; callPath < callPaths.count; callPath++) {
    const parent = atInt(callPaths.parent, callPath);
    const own = numbers[atUint(callPaths.region, callPath)];
    const phase = callPaths.region[parent];
    if (own === undefined || phase === undefined) continue;
    if (!isWanted(own.key, at(regions, phase).name, wanted)) continue;
    const id = `${phase} ${own.key}`;
    const candidate = remembered(candidates, id, () => ({ phase, roots: [], isNested: false }));
    if (callPath < outerEnd) candidate.isNested = true;
    else outerEnd = atUint(ends, callPath);
    candidate.roots.push({ callPath, number: own.number });
  }
  const [chosen] = [...candidates.values()].sort(
    (a, b) => Number(a.isNested) - Number(b.isNested) || b.roots.length - a.roots.length || a.phase - b.phase,
  );
  return chosen === undefined ? undefined : inOrder(chosen, callPaths.count);
}

/** Names of all phases and parameters that iterations may be chosen by. */
export function phasesIn({ callPaths, regions }: Pick<Profile, 'callPaths' | 'regions'>): readonly string[] {
  const names = new Set<string>();
  for (let callPath = 0; callPath < callPaths.count; callPath++) {
    const key = numberIn(at(regions, atUint(callPaths.region, callPath)))?.key;
    const phase = regions[callPaths.region[atInt(callPaths.parent, callPath)] ?? -1];
    if (key === undefined || phase === undefined) continue;
    names.add(key === 'instance' ? phase.name : key);
  }
  return [...names];
}

function isWanted(key: string, phase: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return key === 'instance';
  return key === wanted || phase === wanted;
}

function numberIn(region: Region): { readonly key: string; readonly number: number } | undefined {
  const match = /^([^=]+)=(\d{1,15})$/.exec(region.name);
  if (match?.[1] === undefined) return undefined;
  return { key: isIteration(region) ? 'instance' : match[1], number: Number(match[2]) };
}

/** Numbers may begin anywhere and have gaps; only their order counts. Call paths with the same number are the same iteration. */
function inOrder({ phase, roots }: Candidate, count: number): ProfileIterations {
  const sorted = [...new Set(roots.map(({ number }) => number))].sort((a, b) => a - b);
  const position = new Map(sorted.map((number, index) => [number, index]));
  const iterationAt = new Int32Array(count).fill(-1);
  for (const { callPath, number } of roots) iterationAt[callPath] = position.get(number) ?? -1;
  return { phase, iterationAt, iterations: sorted.length };
}
