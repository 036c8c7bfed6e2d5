import { runsUnderWay, suspendRun } from '../../workflows/watch';
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
};
