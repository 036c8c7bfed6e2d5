import { KymoError } from '../../../core/errors';

/**
 * - `not-otf2`: the anchor file is none
 * - `unsupported-otf2`: another container (SION), compressed files, or a newer format
 * - `truncated-otf2`: the file ends within a record
 * - `invalid-otf2`: damaged
 * - `missing-otf2-file`: the archive has no file with its definitions
 */
export type Otf2ErrorReason =
  | 'not-otf2'
  | 'unsupported-otf2'
  | 'truncated-otf2'
  | 'invalid-otf2'
  | 'missing-otf2-file';

export function otf2Error(
  reason: Otf2ErrorReason,
  file: string,
  offset: number,
  message: string,
): KymoError<Otf2ErrorReason> {
  return new KymoError(reason, `${file}, byte ${offset}: ${message}`, { file, offset });
}
