import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import {
  iterationsFileName,
  type IterationsDirectory,
  type IterationSample,
} from '../../formats/kymo-iterations/iterationsFile';
import { IterationsWriter } from '../../formats/kymo-iterations/write';
import { writeError } from '../../measurement/files/disk';
import { temporaryName } from '../../measurement/files/leftovers';
import { requireOwn } from '../../measurement/files/ownFiles';

/** The next file is written when there are this many times the iterations of the last one: all files together are a few times the last. */
const growth = 1.15;

/**
 * The iterations of a run that is not over, as an `iterations.kymo` that is replaced as they grow. They are kept in a file beside it, so that memory does
 * not grow with their number.
 */
export class LiveIterationsFile {
  /** Iterations so far, and those of them in the file. */
  count = 0;
  written = 0;
  private readonly target: string;
  private readonly kept: string;
  private readonly file: number;
  private readonly writer: IterationsWriter;

  /** @throws KymoError `write-failed`, `disk-full`, `results-linked` */
  constructor(folder: string) {
    this.target = path.join(folder, iterationsFileName);
    this.kept = temporaryName(this.target);
    requireOwn(this.kept);
    this.file = this.attempt(() => openSync(this.kept, 'wx', 0o600));
    this.writer = this.attempt(
      () =>
        new IterationsWriter((bytes) => {
          writeAll(this.file, bytes);
        }, true),
    );
  }

  /** @throws KymoError `write-failed`, `disk-full` */
  add(samples: readonly IterationSample[]): void {
    this.attempt(() => {
      for (const sample of samples) this.writer.add(sample);
    });
    this.count += samples.length;
  }

  /** Whether there are enough new iterations for another file. */
  get isDue(): boolean {
    return this.count > Math.floor(this.written * growth);
  }

  /** @throws KymoError `write-failed`, `disk-full` */
  write(directory: Omit<IterationsDirectory, 'iterations'>): void {
    this.attempt(() => {
      const { text, header } = this.writer.ending(directory);
      const next = temporaryName(this.target);
      try {
        copyFileSync(this.kept, next);
        const file = openSync(next, 'r+');
        try {
          writeAll(file, text, Number(Buffer.from(header).readBigUInt64LE(16)));
          writeAll(file, header, 0);
        } finally {
          closeSync(file);
        }
        renameSync(next, this.target);
      } catch (error) {
        rmSync(next, { force: true });
        throw error;
      }
    });
    this.written = this.count;
  }

  close(): void {
    closeSync(this.file);
    rmSync(this.kept, { force: true });
  }

  private attempt<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw writeError(this.target, error);
    }
  }
}

/** @param position in the file; default: behind what was written before */
function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(
      file,
      bytes,
      done,
      bytes.length - done,
      position === undefined ? undefined : position + done,
    );
}
