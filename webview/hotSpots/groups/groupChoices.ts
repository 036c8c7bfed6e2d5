import type { Grouping } from '../../../src/core/groups/comparison/compareGroups';
import type { BlockOrder } from '../../../src/core/groups/differences/blocks';
import { fallbackSteps } from '../../../src/core/groups/graph/fallbacks';
import type { ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import type { DrawingFormat } from '../../../src/protocol/hotSpots';
import type { HotSpotsChannel } from '../data/load';
import type { GroupOrder, GroupScale } from './groupModel';

/** What is shown of the groups. */
export const groupPictures = ['times', 'similarity', 'subsumption', 'graph'] as const;
export type GroupPictureKind = (typeof groupPictures)[number];

export const waysOfGrouping = ['structure', 'similarity', 'time'] as const;
export const comparedThings = ['pairs', 'functions'] as const;
export const coarserWays = ['automatic', ...fallbackSteps] as const;

export const leastThreshold = 0.5;

/** What the user chose, which the view's state keeps. */
export interface GroupChoices {
  readonly groupOrder: GroupOrder;
  readonly groupScale: GroupScale;
  readonly groupPicture: GroupPictureKind;
  readonly groupBy: (typeof waysOfGrouping)[number];
  readonly groupThreshold: number;
  /** 0: as many as by structure. */
  readonly groupCount: number;
  readonly groupKind: (typeof comparedThings)[number];
  readonly groupClosure: boolean;
  readonly groupCoarser: (typeof coarserWays)[number];
  readonly groupRanking: BlockOrder;
  readonly groupLattice: boolean;
}

export interface GroupsHost {
  readonly channel: HotSpotsChannel;
  readonly onChoice: (choices: Partial<GroupChoices>) => void;
  /** @param processes none: all */
  readonly onChoose: (processes: ProcessRanges) => void;
  readonly save: (name: string, format: DrawingFormat, content: Uint8Array) => void;
}

/** The question that the choices are. */
export function groupingOf(choices: GroupChoices): Grouping {
  const { groupBy, groupThreshold, groupCount, groupKind, groupClosure, groupCoarser } = choices;
  return {
    kind: groupKind,
    closure: groupClosure,
    ...(groupBy === 'similarity' ? { threshold: groupThreshold } : {}),
    ...(groupBy === 'time' ? { kMeans: groupCount > 0 ? groupCount : 'structure' } : {}),
    ...(groupCoarser === 'automatic' ? {} : { coarser: groupCoarser }),
  };
}

/** Groups may take long of hundreds of thousands of processes. */
export const patience = { patienceMilliseconds: 120_000 };
