import path from 'node:path';
import { buildFolder } from './asking/draft';

/**
 * Position of the program that is meant: the same path, or the program of this path below Kymo's own build folder, where a program that was built
 * elsewhere (`build/src/app`) is built again (`build-kymo/src/app`).
 */
export function meantProgram(files: readonly string[], wanted: string): number | undefined {
  const normal = files.map((file) => path.posix.normalize(file));
  const same = normal.indexOf(wanted);
  if (same >= 0) return same;
  const alike = normal.map((file) => (file.startsWith(`${buildFolder}/`) ? commonEnd(file, wanted) : 0));
  const most = Math.max(0, ...alike);
  const best = alike.indexOf(most);
  return most === 0 || alike.lastIndexOf(most) !== best ? undefined : best;
}

/** Number of folders and names that are the same from the end on. */
function commonEnd(one: string, other: string): number {
  const left = one.split('/').reverse();
  const right = other.split('/').reverse();
  const differs = left.findIndex((part, index) => part !== right[index]);
  return differs < 0 ? left.length : differs;
}
