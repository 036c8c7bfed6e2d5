import { KymoError } from '../../../core/errors';

export type CubeReason = 'not-a-cube' | 'cube-damaged' | 'cube-unsupported' | 'cube-too-large';

/** The file breaks the format: what was expected and what was found, at a byte offset (0-based) of the file. */
export function damaged(
  file: string,
  offset: number,
  expected: string,
  found: string,
): KymoError<CubeReason> {
  return new KymoError(
    'cube-damaged',
    `${file} is damaged or cut off: at byte ${offset} ${expected} was expected, but ${found} was found. ` +
      'Copy or measure it again.',
    { file, offset },
  );
}

/** The file is sound, but needs more memory than its limits allow. */
export function tooLarge(file: string, what: string): KymoError<CubeReason> {
  return new KymoError('cube-too-large', `${file} cannot be read as a whole: ${what}.`, { file });
}

/** The file uses a part of the format that this reader does not support. */
export function unsupported(file: string, offset: number, what: string): KymoError<CubeReason> {
  return new KymoError('cube-unsupported', `${file} cannot be read: ${what}.`, { file, offset });
}

/** The file is no Cube 4 profile at all. */
export function notACube(file: string): KymoError<CubeReason> {
  return new KymoError(
    'not-a-cube',
    `${file} is not a Cube 4 profile (an archive with a member anchor.xml). Give a file such as profile.cubex.`,
    { file, offset: 0 },
  );
}
