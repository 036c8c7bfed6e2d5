import path from 'node:path';
import { JsonSchema } from '../../../core/jsonSchema';
import { writeFileAtomically } from '../../../measurement/files/disk';
import { readOwnFile } from '../../../measurement/files/ownFiles';
import { liveDefaults } from './settings';

/** In the folder of a run that is under way: how whoever watches it is to search why and where it is slow. Absent: not at all. */
export const diagnosisWishName = 'live-wish-diagnosis.json';

/** What users want of the search in a run that is under way. How it searches is decided when it begins. */
export interface DiagnosisWish {
  readonly strategy: (typeof liveStrategies)[number];
  /** Share (0…1) of the stack samples that a deep starter exceeds; absent: without Deep Start. */
  readonly deepStart?: number;
  readonly costLimit: number;
  readonly concludeAfter: number;
  /** In place of those of the hypotheses, by id; may change while the program runs, as may `state`. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly state: 'search' | 'pause' | 'stop';
}

export const liveStrategies = ['centralised', 'partially distributed', 'truly distributed'] as const;

export const usualWish: DiagnosisWish = { ...liveDefaults, thresholds: {}, state: 'search' };

/** @throws KymoError `write-failed`, `disk-full`, `results-linked` */
export async function writeDiagnosisWish(folder: string, wish: DiagnosisWish): Promise<void> {
  await writeFileAtomically(path.join(folder, diagnosisWishName), JSON.stringify(wish));
}

/** Undefined if there is none, or what is there is no wish. */
export async function readDiagnosisWish(folder: string): Promise<DiagnosisWish | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(path.join(folder, diagnosisWishName)));
    return wishes.describes(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const share = { type: 'number', exclusiveMinimum: 0, maximum: 0.9 } as const;

const wishes = new JsonSchema<DiagnosisWish>({
  type: 'object',
  properties: {
    strategy: { type: 'string', enum: liveStrategies },
    deepStart: { type: 'number', minimum: 0, maximum: 1 },
    costLimit: share,
    concludeAfter: { type: 'number', minimum: 1, maximum: 3600 },
    thresholds: { type: 'object', additionalProperties: { type: 'number' }, maxProperties: 1000 },
    state: { type: 'string', enum: ['search', 'pause', 'stop'] },
  },
  required: ['strategy', 'costLimit', 'concludeAfter', 'thresholds', 'state'],
});
