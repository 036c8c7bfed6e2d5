import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { KymoError } from '../../core/errors';
import type { ByteSource } from '../../formats/byteSource';
import { explainFileError } from '../files/explainFileError';
import { requireOwn } from '../files/ownFiles';

/** A profile's open file, read by ranges. */
export interface ProfileFile {
  readonly source: ByteSource;
  /** Changes with the file's contents. */
  readonly identity: string;
  close(): void;
}

/**
 * Opens a file whose content must not change while it is open. A file that is replaced (renamed over) is read to its end; reading fails
 * when the file was written to or cut off.
 * @throws KymoError `results-linked`, `file-missing`, `file-unusable`; reading throws `profile-changed` and `file-unusable`
 */
export function openProfileFile(file: string): ProfileFile {
  requireOwn(file);
  // A pipe without a writer would block.
  const descriptor = explainFileError(file, 'read', () =>
    openSync(file, constants.O_RDONLY | constants.O_NONBLOCK),
  );
  try {
    const opened = explainFileError(file, 'read', () => fstatSync(descriptor));
    if (!opened.isFile()) throw new KymoError('file-unusable', `“${file}” is not a file.`, { file });
    const identity = identityOf(opened);
    const check = (): void => {
      if (identityOf(explainFileError(file, 'read', () => fstatSync(descriptor))) !== identity)
        throw new KymoError(
          'profile-changed',
          `${file} was written to while it was read. Open it again when the program that writes it has ended.`,
          { file },
        );
    };
    return {
      identity,
      source: {
        size: opened.size,
        read(offset, length) {
          const bytes = new Uint8Array(Math.max(0, Math.min(length, opened.size - offset)));
          let filled = 0;
          while (filled < bytes.length) {
            const from = filled;
            const count = explainFileError(file, 'read', () =>
              readSync(descriptor, bytes, from, bytes.length - from, offset + from),
            );
            if (count === 0) break;
            filled += count;
          }
          check();
          return bytes.subarray(0, filled);
        },
      },
      close: () => {
        closeSync(descriptor);
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function identityOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs}-${size}-${ino}`;
}
