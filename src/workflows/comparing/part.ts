import { existsSync } from 'node:fs';
import path from 'node:path';
import { profileOfIterations, type IterationRange } from '../../core/compare/iterations';
import { KymoError } from '../../core/errors';
import type { PropertyInput } from '../../core/problems/context/makeContext';
import { profileOfLocations } from '../../core/profile/ofLocations';
import type { Profile } from '../../core/profile/profile';
import { rankSet } from '../../core/properties/rankSet';
import { iterationsIn } from '../../core/series/profileIterations';
import { iterationsFileName } from '../../formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../formats/kymo-iterations/read';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { noIterations } from '../dynamics/openInput';
import { asMeasured } from '../studies/profileOrigin';
import { iterationsProfile } from './iterationsProfile';
import type { MeasuredRun } from './readRuns';

/** A part of a run; all of it where nothing is given. */
export interface Part {
  /** First and last ranks of ranges. */
  readonly ranks?: readonly (readonly [first: number, last: number])[];
  readonly iterations?: IterationRange;
}

/**
 * A part of a run as input of the analyses.
 * @throws KymoError `no-iterations`, `no-such-iteration`, `no-such-process`
 */
export function partOf({ file, profile, origin }: MeasuredRun, { ranks, iterations }: Part): PropertyInput {
  const inTime = iterations === undefined ? profile : inIterations(file, profile, iterations);
  return asMeasured(ranks === undefined ? inTime : ofRanks(file, inTime, ranks), origin);
}

/** `, ranks 0-3, iterations 10–20`: behind the name of an input. */
export function partText({ ranks, iterations }: Part): string {
  return [
    ...(ranks === undefined ? [] : [ranksText(ranks)]),
    ...(iterations === undefined ? [] : [rangeText('iteration', iterations)]),
  ]
    .map((text) => `, ${text}`)
    .join('');
}

function ranksText(ranges: readonly (readonly [number, number])[]): string {
  const text = ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(',');
  return `${/^\d+$/.test(text) ? 'rank' : 'ranks'} ${text}`;
}

function rangeText(what: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${what} ${first}` : `${what}s ${first}–${last}`;
}

function ofRanks(file: string, profile: Profile, ranks: NonNullable<Part['ranks']>): Profile {
  const isWanted = (rank: number): boolean => ranks.some(([first, last]) => rank >= first && rank <= last);
  const chosen = [...profile.locations.keys()].filter((location) =>
    isWanted(profile.locations[location]?.rank ?? -1),
  );
  if (chosen.length === 0)
    throw new KymoError(
      'no-such-process',
      `${file} has no ${ranksText(ranks)}: its ranks are ${rankSet(new Set(profile.locations.map(({ rank }) => rank)))}.`,
      { file },
    );
  return profileOfLocations(profile, Uint32Array.from(chosen));
}

function inIterations(file: string, profile: Profile, range: IterationRange): Profile {
  const beside = iterationsFileBeside(file);
  if (beside !== undefined) return ofIterationsFile(beside, profile, range);
  const found = profileOfIterations(profile, range);
  if (found === undefined) throw noIterations(`${file} has no iterations`, file);
  requireIterations(file, range, found.iterations);
  return found.profile;
}

/** Number of iterations of a run; 0: it has none. */
export function iterationsOf({ file, profile }: MeasuredRun): number {
  const beside = iterationsFileBeside(file);
  if (beside === undefined) return iterationsIn(profile)?.iterations ?? 0;
  const opened = openProfileFile(beside);
  try {
    return openIterations(opened.source, beside).directory.iterations;
  } finally {
    opened.close();
  }
}

function iterationsFileBeside(file: string): string | undefined {
  const beside = path.join(path.dirname(file), iterationsFileName);
  return path.basename(file) === 'profile.cubex' && existsSync(beside) ? beside : undefined;
}

function ofIterationsFile(file: string, profile: Profile, range: IterationRange): Profile {
  const opened = openProfileFile(file);
  try {
    const iterations = openIterations(opened.source, file);
    requireIterations(file, range, iterations.directory.iterations);
    return iterationsProfile(iterations, range, profile);
  } finally {
    opened.close();
  }
}

function requireIterations(file: string, range: IterationRange, count: number): void {
  if (range[1] <= count) return;
  throw new KymoError(
    'no-such-iteration',
    `${file} has ${count === 1 ? 'one iteration' : `iterations 1–${count}`} and no ${rangeText('iteration', range)}.`,
    { file },
  );
}
