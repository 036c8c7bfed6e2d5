import type { ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import {
  profileGroupDetails,
  profileGroupFile,
  profileGroupGraph,
  profileGroupMatrix,
  profileGroups,
} from '../../../src/workflows/views/groupsView';
import { openProfile, profileRegions, profileRows } from '../../../src/workflows/views/profileView';
import type { TestProfile } from './profiles';

/** A profile in a file, with the answers of the engine to questions on groups. */
export async function measuredProfile(file: string, processes?: ProcessRanges): Promise<TestProfile> {
  const { header } = await openProfile({ file, ...(processes === undefined ? {} : { processes }) });
  const name = { file, id: header.id };
  const rows = await profileRows({ ...name, first: 0, count: header.callPaths });
  const regions = await profileRegions({ ...name, first: 0, count: header.regions });
  return {
    ...rows,
    header,
    regions: regions.map(({ name: region }) => ({ name: region })),
    grouped: {
      groups: (asked) => profileGroups({ ...name, ...asked }),
      groupMatrix: (asked) => profileGroupMatrix({ ...name, ...asked }),
      groupDetails: (asked) => profileGroupDetails({ ...name, ...asked }),
      groupGraph: (asked) => profileGroupGraph({ ...name, ...asked }),
      groupFile: (asked) => profileGroupFile({ ...name, ...asked }),
    },
  };
}
