import { communicationPiece, type CommunicationColumns } from '../../core/communication/communicationMatrix';
import { KymoError } from '../../core/errors';
import type { ProfileHeader } from '../../core/views/profilePieces';
import { rankNames, type Extent } from '../../core/views/ranks/rankRows';
import type { RankTimes } from '../../core/views/ranks/rankTimes';
import type { PanelProfile } from '../opened/panelProfile';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import { turn, type Cancellable } from '../running/turn';
import type { ProfileName, ProfileRange } from './profileView';

/** What the header says of processes: nothing for a run of one. Messages are those of all processes. */
export function rankFacts(
  { communication }: CachedProfile,
  { profile }: PanelProfile,
  isWhole: boolean,
): Pick<ProfileHeader, 'ranks' | 'communication'> {
  const ranks = rankNames(profile);
  if (ranks.length < 2) return {};
  if (communication === undefined || !isWhole) return { ranks };
  const { size, ranksPerRow, ranks: count, from, seconds } = communication;
  return {
    ranks,
    communication: {
      size,
      ranksPerRow,
      ranks: count,
      entries: from.length,
      isTimed: seconds !== undefined,
    },
  };
}

/** Values of functions by rank, one row after the other. */
export async function profileRankRows(
  question: ProfileName & {
    /** Position of the metric. */
    readonly metric: number;
    readonly extent: Extent;
    /** Positions of the functions. */
    readonly regions: readonly number[];
  },
  context: Cancellable = {},
): Promise<Float64Array> {
  const opened = await cachedProfile(question.file, question.id, context);
  const { columns, profile, rankRows } = opened.panelOf(question.processes);
  const column = columns[question.metric];
  if (column === undefined)
    throw new KymoError('no-such-metric', 'The profile has no such metric. Open it again.', {
      file: question.file,
    });
  const width = rankNames(profile).length;
  const values = new Float64Array(question.regions.length * width);
  for (const [row, region] of question.regions.entries()) {
    await turn(context);
    values.set(rankRows().row(region, question.extent, column.combine, column.at), row * width);
  }
  return values;
}

/** What the processes spend their time for. @throws KymoError `no-time` */
export async function profileRankTimes(
  { file, id, processes, region }: ProfileName & { /** −1: the whole run. */ readonly region: number },
  context: Cancellable = {},
): Promise<RankTimes> {
  const { rankTimes } = (await cachedProfile(file, id, context)).panelOf(processes);
  if (rankTimes === undefined)
    throw new KymoError('no-time', 'The profile has no time, or it is too large to add it up by rank.', {
      file,
    });
  return rankTimes(region < 0 ? undefined : region);
}

/** Entries of the communication matrix; none if the profile has no matrix. */
export async function profileCommunication(
  { file, id, first, count }: ProfileRange,
  context: Cancellable = {},
): Promise<CommunicationColumns | undefined> {
  const { communication } = await cachedProfile(file, id, context);
  return communication === undefined ? undefined : communicationPiece(communication, first, count);
}
