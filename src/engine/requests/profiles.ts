import { baselines, comparisonInSource, profileChanges } from '../../workflows/views/comparisonView';
import { convertProfile } from '../../workflows/views/convertProfile';
import {
  profileFunctions,
  profileProperties,
  type ProcessesInSource,
} from '../../workflows/views/profileInSource';
import {
  comparableProfiles,
  openProfile,
  profileLocations,
  profileRegions,
  profileRows,
  studyProfile,
} from '../../workflows/views/profileView';
import {
  profileGroupDetails,
  profileGroupFile,
  profileGroupGraph,
  profileGroupMatrix,
  profileGroups,
} from '../../workflows/views/groupsView';
import { profileCommunication, profileRankRows, profileRankTimes } from '../../workflows/views/rankView';
import { profileRowValues, profileSpreads, profileSpreadScores } from '../../workflows/views/spreadView';
import { job, pieces, query, stream } from './request';
import { functionsPerPart } from './studies';

const home = 'document';

/** Profiles of any origin, for viewers and for source annotations. */
export const profileRequests = {
  /** Opens a profile; columns, regions and locations are then requested in pieces. */
  openProfile: query(openProfile, { home }),
  profileRows: query(profileRows, { home }),
  profileRegions: query(profileRegions, { home }),
  profileLocations: query(profileLocations, { home }),
  /** Values of functions by rank, times of ranks, and who sends to whom. */
  profileRankRows: query(profileRankRows, { home }),
  profileRankTimes: query(profileRankTimes, { home }),
  /** How the values of rows spread over locations: box plots, values, and what to sort by. */
  profileSpreads: query(profileSpreads, { home }),
  profileRowValues: query(profileRowValues, { home }),
  profileSpreadScores: query(profileSpreadScores, { home }),
  /** Which processes behave alike, how similar these groups are, what they have in common, and how they differ. */
  profileGroups: query(profileGroups, { home }),
  profileGroupMatrix: query(profileGroupMatrix, { home }),
  profileGroupDetails: query(profileGroupDetails, { home }),
  profileGroupGraph: query(profileGroupGraph, { home }),
  profileGroupFile: query(profileGroupFile, { home }),
  profileCommunication: query(profileCommunication, { home }),
  /** Experiments of the same target. */
  comparableProfiles: query(
    ({ file }: { readonly file: string }, context) => comparableProfiles(file, context),
    { home },
  ),
  /** What changed from another measurement to a profile: as a table, and at its lines; and what it may be compared with. */
  profileChanges: query(profileChanges, { home }),
  comparisonInSource: query(comparisonInSource),
  baselines: query(baselines),
  /** The typical profile of the last or given round of a study. */
  studyProfile: query(
    (
      { studyDirectory, iteration }: { readonly studyDirectory: string; readonly iteration?: number },
      context,
    ) => studyProfile(studyDirectory, iteration, context),
  ),
  convertProfile: job(convertProfile, { writes: true }),
  /** Functions for source annotations; the last part has the title of the profile and the missing sources. */
  profileFunctions: stream(
    async function* (options: ProcessesInSource, context) {
      const { functions, ...about } = await profileFunctions(options, context);
      for (const piece of pieces(functions, functionsPerPart)) yield { functions: piece };
      yield { about };
    },
    { home },
  ),
  profileProperties: query(profileProperties, { home }),
};
