import { isKymoError, KymoError } from '../../core/errors';
import type { ByteSource } from '../../formats/byteSource';
import { bytesOfKind, kindOf } from '../../formats/fileKinds';

/** Reasons with which files of other kinds are refused. */
const reasons: ReadonlySet<string> = new Set(['series-invalid', 'report-invalid', 'not-a-cube']);

/**
 * Runs what reads the beginning of a file.
 * @throws KymoError `wrong-file` where it is a file of another kind that is known
 */
export function namingWrongFile<T>(bytes: ByteSource, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const kind =
      isKymoError(error) && reasons.has(error.reason) ? kindOf(bytes.read(0, bytesOfKind)) : undefined;
    if (kind === undefined) throw error;
    throw new KymoError(
      'wrong-file',
      `${file} is ${kind.what}. A series file, a profile with iterations (profile.cubex), the folder of an experiment or study, ` +
        `or a report of “kymo dynamics --json” was expected. ${kind.use}`,
      { file },
      { cause: error },
    );
  }
}
