import type { Digest } from '../../core/digest/digest';
import { mergeDigests } from '../../core/digest/mergeDigests';
import { present } from '../../core/present';
import { digestOfProcess } from '../../measurement/results/reduced/digestOfProcess';
import type { WatchedFolder } from '../../overlay/agent/agentSession';
import type { DigestQuestion, HostWatch } from '../../overlay/agent/digestSession';
import { processesOfHost } from '../../overlay/agent/localProcesses';
import { IterationStreams } from '../online/iterationStreams';
import { WatchedJob } from '../online/watchedJob';
import { IterationBuffer } from './iterationBuffer';

/** The processes of this host in an agent of a reduced run, watched as the front end watches those of its own host. */
export class HostDigests implements HostWatch {
  private watching: Watching | undefined;
  private isSuspended = false;

  constructor(
    private readonly watched: WatchedFolder,
    private readonly signal: AbortSignal,
  ) {}

  async look(question: DigestQuestion): Promise<Digest> {
    const { slotCount, suspend, firstIteration } = question;
    const { job, iterations } = (this.watching ??= await this.begin(question));
    // At once: all hosts are asked at the same time, and the processes of one wait for those of others in MPI.
    if (suspend !== this.isSuspended) {
      this.isSuspended = suspend;
      await job.tell({ kind: 'suspend', on: suspend });
    }
    await job.look();
    const digest = { ...digestOf(job, slotCount), slotCount };
    return { ...digest, ...present({ iterations: iterations.from(firstIteration, digest) }) };
  }

  close(): void {
    this.watching?.job.close();
  }

  private async begin({ slotCount, phase }: DigestQuestion): Promise<Watching> {
    // Functions have names where the front end is; here their slots tell them apart.
    const slots = Array.from({ length: slotCount }, (_, slot) => String(slot));
    const program = { slots, graph: { functions: [], edges: [] }, executable: '', selectionId: '' };
    const streams = new IterationStreams({ ...program, phase });
    const { folder, token } = this.watched;
    const job = new WatchedJob({ program }, processesOfHost(folder, token), this.signal, [streams]);
    // Processes have to be found before they can be told anything.
    await job.look();
    return { job, iterations: new IterationBuffer(streams) };
  }
}

interface Watching {
  readonly job: WatchedJob;
  readonly iterations: IterationBuffer;
}

/** Of all processes of a job that run the program with so many slots. */
export function digestOf(job: WatchedJob, slotCount: number): Digest {
  const own = job.known.filter(({ result }) => result.process.slotCount === slotCount);
  return mergeDigests(
    own.map(({ result, isWatched }) => digestOfProcess(result.window(), result.process, isWatched)),
  );
}
