import type { Launcher } from '../../measurement/config/config';
import { fittingMpirun } from '../../measurement/launch/mpirun/fittingMpirun';
import { linkedMpi } from '../../measurement/launch/mpirun/linkedMpi';
import { rootPermission } from '../../measurement/launch/runs/launchCommand';
import type { AgentWay } from './agents';

export interface LaunchedRun {
  readonly launcher: Launcher;
  /** Absolute. */
  readonly executable: string;
  /** Of the target's runs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The job of Slurm that it is in, if any. */
  readonly job: string | undefined;
}

/**
 * How agents come to hosts of a run: as its processes did. Where nothing but a host's name is known, by ssh: one way for each host then, so
 * that one that cannot be reached does not keep the others from having theirs.
 * @throws KymoError `launcher-mismatch`
 */
export async function agentWays(
  hosts: readonly string[],
  { launcher, executable, environment, job }: LaunchedRun,
): Promise<readonly AgentWay[]> {
  if (launcher.kind === 'mpirun') {
    const mpi = await linkedMpi(executable, { ...process.env, ...environment });
    const mpirun = await fittingMpirun(typeof mpi === 'object' ? mpi : undefined);
    if (mpirun !== undefined && mpirun.implementation.family !== 'unknown') {
      const variables = { ...environment, ...rootPermission(mpirun.implementation) };
      return [{ kind: 'mpirun', mpirun, hosts, environment: variables }];
    }
  } else if (job !== undefined) return [{ kind: 'srun', job, hosts }];
  return hosts.map((host) => ({ kind: 'ssh', hosts: [host] }));
}
