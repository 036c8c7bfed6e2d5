import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { writeError } from '../../files/disk';
import { BoundedOutput } from '../boundedOutput';

/**
 * Writes a program's output to a file of bounded size: the first part immediately (a crash of this process loses none of it), the last
 * part after the program's end. Only the last part is in memory.
 */
export class OutputFile {
  private readonly file: number;
  private readonly tail: BoundedOutput;
  private headRoom: number;
  private total = 0;
  private failure: unknown;

  /** @throws KymoError `disk-full` or `write-failed` */
  constructor(
    private readonly path: string,
    maximumBytes = 4 << 20,
  ) {
    this.headRoom = Math.ceil(maximumBytes / 2);
    this.tail = new BoundedOutput(maximumBytes / 2);
    try {
      // A new file: the old one may be a link or a pipe.
      rmSync(path, { force: true });
      this.file = openSync(path, 'wx');
    } catch (cause) {
      throw writeError(path, cause);
    }
  }

  /** Length of the whole output. */
  get bytes(): number {
    return this.total;
  }

  /** Never throws: a full disk must not stop the program. */
  add(piece: Buffer): void {
    this.total += piece.length;
    const first = piece.subarray(0, this.headRoom);
    this.headRoom -= first.length;
    if (first.length > 0) this.write(first);
    if (first.length < piece.length) this.tail.add(piece.subarray(first.length));
  }

  /** @throws KymoError `disk-full` or `write-failed` when a part could not be written */
  close(): void {
    if (this.tail.bytes > 0) this.write(Buffer.from(this.tail.text()));
    try {
      closeSync(this.file);
    } catch (error) {
      this.failure ??= error;
    }
    if (this.failure !== undefined) throw writeError(this.path, this.failure);
  }

  private write(piece: Buffer): void {
    if (this.failure !== undefined) return;
    try {
      for (let done = 0; done < piece.length;) done += writeSync(this.file, piece, done);
    } catch (error) {
      this.failure = error;
    }
  }
}
