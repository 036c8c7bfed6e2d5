import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Scratch, ScratchPlace } from '../../core/messages/sortedRecords';
import { scratchFolder } from '../../measurement/files/leftovers';
import { writeError } from '../../measurement/files/disk';

/** A file for what does not fit into memory. It is made when it is needed, and has no name any more from then on. */
export class ScratchFile implements Scratch {
  #descriptor: number | undefined;
  #size = 0;

  private constructor(private readonly folder: string) {}

  static async make(): Promise<ScratchFile> {
    return new ScratchFile(await scratchFolder('messages'));
  }

  /** @throws KymoError `disk-full`, `write-failed` */
  write(bytes: Uint8Array): ScratchPlace {
    const file = path.join(this.folder, 'ends');
    try {
      if (this.#descriptor === undefined) {
        this.#descriptor = openSync(file, 'wx+', 0o600);
        rmSync(this.folder, { recursive: true, force: true });
      }
      writeAll(this.#descriptor, bytes);
    } catch (error) {
      throw writeError(file, error);
    }
    const place = { offset: this.#size, length: bytes.length };
    this.#size += bytes.length;
    return place;
  }

  read({ offset, length }: ScratchPlace): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length && this.#descriptor !== undefined;) {
      const count = readSync(this.#descriptor, bytes, filled, length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes;
  }

  remove(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Appends to a file. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(descriptor, bytes, written, bytes.length - written);
}
