import { runsUnderWay, suspendRun } from '../../workflows/watch';
import { changeRecording, functionsUnderWay } from '../../workflows/watch/changeRecording';
import type { RecordingWish } from '../../workflows/watch/wishes';
import { query } from './request';

/** Runs that are under way. Their results so far are files, which all other requests read. */
export const watchingRequests = {
  runsUnderWay: query(({ workspace }: { readonly workspace: string }, context) =>
    runsUnderWay(workspace, context),
  ),
  suspendRun: query(
    ({ folder, suspend }: { readonly folder: string; readonly suspend: boolean }) =>
      suspendRun(folder, suspend),
    { writes: true },
  ),
  functionsUnderWay: query(({ folder }: { readonly folder: string }) => functionsUnderWay(folder)),
  changeRecording: query(
    ({ folder, wish }: { readonly folder: string; readonly wish: RecordingWish }, context) =>
      changeRecording(folder, wish, context),
    { writes: true },
  ),
};
