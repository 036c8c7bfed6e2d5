import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { KymoError } from '../../core/errors';
import type { NamedSource } from '../../formats/byteSource';

/** Reason and advice of the errors about a sort of files. */
interface SortOfFile {
  readonly reason: string;
  readonly missing: string;
  readonly shorter: string;
}

const programFile: SortOfFile = {
  reason: 'unreadable-executable',
  missing: 'Build the program first, or correct "executable" in kymo.json.',
  shorter: 'it is being built or copied. Try again when that is done.',
};

/** Files that measured processes write. */
export const resultsFile: SortOfFile = {
  reason: 'unreadable-result',
  missing: 'Measure again.',
  shorter: 'it is being written, copied or removed. Try again when that is done, or measure again.',
};

/**
 * Opens a file for reading by ranges; the source is valid until the action ends.
 * @param sort default: a program or a library
 * @throws KymoError with the reason of the sort: the file cannot be read, is none, or becomes shorter
 */
export async function withFileSource<T>(
  file: string,
  action: (source: NamedSource) => Promise<T> | T,
  { reason, missing, shorter }: SortOfFile = programFile,
): Promise<T> {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    throw new KymoError(
      reason,
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)}). ${missing}`,
      { file },
      { cause: error },
    );
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) {
      throw new KymoError(reason, `${file} is not a file.`, { file });
    }
    const read = (offset: number, length: number): Uint8Array => {
      const bytes = Buffer.alloc(length);
      for (let done = 0; done < length;) {
        const count = readSync(descriptor, bytes, done, length - done, offset + done);
        if (count === 0) {
          throw new KymoError(reason, `${file} became shorter while it was read: ${shorter}`, {
            file,
            offset: offset + done,
          });
        }
        done += count;
      }
      return bytes;
    };
    return await action({ file, size: status.size, read });
  } finally {
    closeSync(descriptor);
  }
}
