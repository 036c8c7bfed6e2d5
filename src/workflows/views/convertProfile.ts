import path from 'node:path';
import { assertNever } from '../../core/errors';
import { recordingCost } from '../../core/cost/regionCost';
import { recordingOverhead } from '../../core/cost/recordingOverhead';
import { profileOfLocations } from '../../core/profile/ofLocations';
import { exclusive, hasVisits } from '../../core/profile/values';
import { positionsIn, type ProcessRanges } from '../../core/views/ranks/processRanges';
import { csvLines } from '../../formats/exports/csv';
import { profileJson } from '../../formats/exports/json';
import { speedscopeFile } from '../../formats/exports/speedscope';
import { writeFileAtomically } from '../../measurement/files/disk';
import { turn, type Cancellable } from '../running/turn';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';

export type ProfileFormat = 'csv' | 'json' | 'speedscope';

/**
 * Writes an opened profile in another format; CSV and JSON contain the recording cost of each call path, if it is known.
 * @throws KymoError `profile-changed`, `no-such-process`, `profile-missing`, `disk-full`, `write-failed`
 */
export async function convertProfile(
  options: {
    readonly file: string;
    readonly id: string;
    /** The processes whose values are written; default: all. */
    readonly processes?: ProcessRanges;
    readonly format: ProfileFormat;
    /** Absolute path. */
    readonly destination: string;
  },
  context: Cancellable = {},
): Promise<{ readonly callPaths: number }> {
  const opened = await cachedProfile(options.file, options.id, context);
  await turn(context);
  const { processes, format, destination } = options;
  const isPart = processes !== undefined && opened.panelOf(processes) !== opened.panel();
  const profile = isPart ? profileOfLocations(opened.profile, positionsIn(processes)) : opened.profile;
  await writeFileAtomically(destination, converted({ ...opened, profile }, format));
  return { callPaths: opened.profile.callPaths.count };
}

/** The converted profile, in pieces if it may exceed the maximum length of a text. */
function converted(opened: CachedProfile, format: ProfileFormat): string | Iterable<string> {
  const { profile, file } = opened;
  const overhead = overheadOf(opened);
  switch (format) {
    case 'csv':
      return csvLines(
        profile,
        overhead === undefined
          ? []
          : [{ title: `overhead (sec, ${overhead.cost} cost)`, values: overhead.values }],
      );
    case 'json':
      return JSON.stringify({
        ...profileJson(profile),
        ...(overhead === undefined
          ? {}
          : { overhead: { unit: 'sec', cost: overhead.cost, values: Array.from(overhead.values) } }),
      });
    case 'speedscope':
      return JSON.stringify(speedscopeFile(profile, path.basename(file)));
    default:
      return assertNever(format);
  }
}

/** The recording cost per call path, as in the panel. */
function overheadOf(
  opened: CachedProfile,
): { readonly values: Float64Array; readonly cost: 'calibrated' | 'assumed' } | undefined {
  const { profile, costs, reportOf } = opened;
  if (costs === undefined || !hasVisits(profile)) return undefined;
  const visits = exclusive(profile, 'visits');
  const perVisit = profile.regions.map((region) => recordingCost(region, costs, reportOf(region)?.site));
  return {
    values: recordingOverhead(visits, profile.callPaths.region, (region) => perVisit[region] ?? 0),
    cost: opened.costsAssumed ? 'assumed' : 'calibrated',
  };
}
