import path from 'node:path';
import type { Unit } from '../../core/source/unit';
import { writeAtomically } from './atomicFile';
import { say } from './compilerRun';

/** Where the fragment of a unit lies (docs/formats.md). */
export function fragmentFile(store: string, hash: string): string {
  return path.join(store, 'units', `${hash}.json`);
}

/** A fragment that cannot be written must not stop the build. */
export function writeFragment(store: string, unit: Unit): void {
  try {
    writeAtomically(fragmentFile(store, unit.hash), `${JSON.stringify(unit)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`${unit.source}: its part of the call graph cannot be kept (${reason})`);
  }
}
