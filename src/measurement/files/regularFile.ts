import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { KymoError } from '../../core/errors';

/** Longer files are not read as a whole. */
const defaultMaximumBytes = 512 << 20;

/**
 * Reads a whole file that anybody may have made: a pipe could keep the reader waiting, and a device such as `/dev/zero` has no end.
 * @param flags of `open`, in addition to those for reading
 * @throws KymoError `file-unusable` when it is not a regular file or too long; as `open`
 */
export async function readRegularFile(
  file: string,
  maximumBytes = defaultMaximumBytes,
  flags = 0,
): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const entry = await handle.stat();
    if (!entry.isFile()) throw new KymoError('file-unusable', `“${file}” is not a file.`, { file });
    if (entry.size > maximumBytes)
      throw new KymoError(
        'file-unusable',
        `“${file}” has ${entry.size} bytes; Kymo reads files of at most ${maximumBytes} bytes.`,
        { file },
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
