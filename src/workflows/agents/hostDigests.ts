import { mergeDigests } from '../../core/digest/mergeDigests';
import type { Digest } from '../../core/digest/digest';
import { digestOfProcess } from '../../measurement/results/reduced/digestOfProcess';
import type { WatchedFolder } from '../../overlay/agent/agentSession';
import type { HostWatch } from '../../overlay/agent/digestSession';
import { processesOfHost } from '../../overlay/agent/localProcesses';
import { WatchedJob } from '../online/watchedJob';

/** The processes of this host in an agent of a reduced run, watched as the front end watches those of its own host. */
export class HostDigests implements HostWatch {
  private readonly job: WatchedJob;
  private isSuspended = false;

  constructor({ folder, token }: WatchedFolder, signal: AbortSignal) {
    // What an agent asks for names no function.
    const plan = { program: { slots: [] } };
    this.job = new WatchedJob(plan, processesOfHost(folder, token), signal);
  }

  async look(slotCount: number, suspend: boolean): Promise<Digest> {
    await this.job.look();
    if (suspend !== this.isSuspended) {
      this.isSuspended = suspend;
      await this.job.tell({ kind: 'suspend', on: suspend });
    }
    return { ...digestOf(this.job, slotCount), slotCount };
  }

  close(): void {
    this.job.close();
  }
}

/** Of all processes of a job that run the program with so many slots. */
export function digestOf(job: WatchedJob, slotCount: number): Digest {
  const own = job.known.filter(({ result }) => result.process.slotCount === slotCount);
  return mergeDigests(
    own.map(({ result, isWatched }) => digestOfProcess(result.window(), result.process, isWatched)),
  );
}
