import { stat } from 'node:fs/promises';

/** Whether there is a file at this path, also behind a symbolic link. */
export function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
