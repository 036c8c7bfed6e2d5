import { createHash, randomBytes } from 'node:crypto';
import { appendFile, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../../core/present';
import { writeError, writeFileAtomically } from '../../files/disk';
import { makeOwnFolder, readOwnFile, requireOwn } from '../../files/ownFiles';
import type { JobId } from './commands';
import {
  jobFiles,
  readEvents,
  requestLine,
  lastRequest,
  waitingScript,
  type JobEvents,
} from './waitingScript';

/** `job.json`: what another process needs in order to find the job again. */
interface JobFile extends JobId {
  readonly kymoJob: 1;
  /** Hash of what the job was submitted with; only runs of the same settings fit into it. */
  readonly settings: string;
  /** Hash of each requested run, in order. */
  readonly runs: readonly string[];
  /** Number of runs whose results were taken over. */
  readonly taken: number;
}

const fileName = 'job.json';

/** The folder of one job below `.kymo`, through which this process and the job's script communicate. */
export class JobFolder {
  private constructor(
    readonly folder: string,
    private file: JobFile,
  ) {}

  /** Makes the folder of a job that is submitted next. @param parent the folder of all jobs of a target */
  static async make(parent: string, idleSeconds: number): Promise<string> {
    const folder = path.join(parent, randomBytes(6).toString('hex'));
    try {
      await makeOwnFolder(folder);
      await writeFile(path.join(folder, jobFiles.script), waitingScript(folder, idleSeconds), {
        mode: 0o700,
      });
      for (const name of [jobFiles.requests, jobFiles.events, jobFiles.beat, jobFiles.log])
        await writeFile(path.join(folder, name), '');
    } catch (error) {
      throw writeError(folder, error);
    }
    return folder;
  }

  static async begin(folder: string, job: JobId, settings: string): Promise<JobFolder> {
    const made = new JobFolder(folder, { kymoJob: 1, ...job, settings, runs: [], taken: 0 });
    await made.save({});
    return made;
  }

  /** The jobs of a target that earlier processes submitted. What cannot be read is not one. */
  static async all(parent: string): Promise<readonly JobFolder[]> {
    requireOwn(parent);
    const names = await readdir(parent).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const folder = path.join(parent, name);
        const text = await readOwnFile(path.join(folder, fileName)).catch(() => '');
        const file = parsed(text);
        return file === undefined ? [] : [new JobFolder(folder, file)];
      }),
    );
    return found.flat();
  }

  get job(): JobId {
    return this.file;
  }

  get settings(): string {
    return this.file.settings;
  }

  /** Number of runs that were requested and not taken over: at most one, the last. */
  get hasOpenRun(): boolean {
    return this.file.runs.length > this.file.taken;
  }

  get runs(): number {
    return this.file.runs.length;
  }

  get taken(): number {
    return this.file.taken;
  }

  /** Whether the open run is the one of this script. */
  isOpen(script: string): boolean {
    return this.hasOpenRun && this.file.runs.at(-1) === hashOf(script);
  }

  /** Requests a run. @returns its number, from 1 */
  async request(script: string, limitSeconds: number): Promise<number> {
    const number = this.runs + 1;
    try {
      await writeFile(path.join(this.folder, jobFiles.run(number)), script, { mode: 0o600 });
      await writeFile(path.join(this.folder, jobFiles.output(number)), '');
      // First this: a job whose run nobody knows of would be found idle.
      await this.save({ runs: [...this.file.runs, hashOf(script)] });
      await appendFile(path.join(this.folder, jobFiles.requests), requestLine(limitSeconds));
    } catch (error) {
      throw writeError(this.folder, error);
    }
    return number;
  }

  /** Notes that the last run's results need not be found again. */
  async takeOver(): Promise<void> {
    await rm(path.join(this.folder, jobFiles.output(this.runs)), { force: true });
    await this.save({ taken: this.runs });
  }

  /** No later command takes over a run of this job, or requests another one. */
  async disown(): Promise<void> {
    await this.save({ settings: '', runs: [], taken: 0 }).catch(() => undefined);
  }

  async events(): Promise<JobEvents> {
    return readEvents(await readOwnFile(path.join(this.folder, jobFiles.events)).catch(() => ''));
  }

  /** A sign of life. */
  async beat(): Promise<void> {
    await writeFile(path.join(this.folder, jobFiles.beat), String(Date.now())).catch(() => undefined);
  }

  /** Asks the script to end after the run under way; a run that it has not begun is not wanted any more. */
  async requestEnd(): Promise<void> {
    const text = lastRequest.repeat(this.runs + 1);
    await writeFile(path.join(this.folder, jobFiles.requests), text).catch(() => undefined);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  private async save(change: Partial<JobFile>): Promise<void> {
    this.file = { ...this.file, ...change };
    await writeFileAtomically(path.join(this.folder, fileName), JSON.stringify(this.file));
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function parsed(text: string): JobFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJobFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A clone may contain any file: the job id becomes a word of commands. */
function isJobFile(value: unknown): value is JobFile {
  if (!isRecord(value)) return false;
  const { kymoJob, id, cluster, settings, runs, taken } = value;
  return (
    kymoJob === 1 &&
    typeof id === 'string' &&
    /^\d+$/.test(id) &&
    (cluster === undefined || (typeof cluster === 'string' && /^[\w.-]+$/.test(cluster))) &&
    typeof settings === 'string' &&
    Array.isArray(runs) &&
    runs.every((run) => typeof run === 'string') &&
    Number.isSafeInteger(taken)
  );
}

/** Reads what is appended to a file. */
export class Tail {
  private offset = 0;

  constructor(private readonly file: string) {}

  async read(receive: (piece: Buffer) => void): Promise<void> {
    requireOwn(this.file);
    // Opened anew each time: network file systems look for new content when a file is opened.
    const handle = await open(this.file, 'r').catch(() => undefined);
    if (handle === undefined) return;
    try {
      for (;;) {
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(1 << 16), 0, 1 << 16, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        receive(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  }
}
