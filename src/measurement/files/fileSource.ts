import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { KymoError } from '../../core/errors';
import type { NamedSource } from '../../formats/byteSource';

/** Opens a file for reading by ranges; the source is valid until the action ends. */
export async function withFileSource<T>(
  file: string,
  action: (source: NamedSource) => Promise<T> | T,
): Promise<T> {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    throw new KymoError(
      'unreadable-executable',
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)}). Build the program first, or correct "executable" in kymo.json.`,
      { file },
      { cause: error },
    );
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) {
      throw new KymoError('unreadable-executable', `${file} is not a file.`, { file });
    }
    const read = (offset: number, length: number): Uint8Array => {
      const bytes = Buffer.alloc(length);
      for (let done = 0; done < length;) {
        const count = readSync(descriptor, bytes, done, length - done, offset + done);
        if (count === 0) {
          throw new KymoError(
            'unreadable-executable',
            `${file} became shorter while it was read: it is being built or copied. Try again when that is done.`,
            { file, offset: offset + done },
          );
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
