import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Unit } from '../../core/source/unit';
import { writeAtomically } from '../files/atomicFile';
import { isInput, type CommandLine } from './commandLine/commandLine';
import { say } from './compilerRun';
import { present } from '../../core/present';

/** Where the fragment of a unit lies (docs/formats.md). */
export function fragmentFile(store: string, hash: string): string {
  return path.join(store, 'units', `${hash}.json`);
}

/** Where the text of a unit waits for its fragment to be wanted (runtime/inserter). */
export function keptTextFile(store: string, hash: string): string {
  return path.join(store, 'units', `${hash}.text`);
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

/** Tells the build step what was compiled: one line per unit, appended in one write (`KYMO_BUILD_LOG`). */
export function logUnit(entry: {
  readonly source: string;
  readonly sites: 'probes' | 'text' | 'entries';
  readonly hash?: string;
  /** The option that allows no more than entries. */
  readonly option?: string;
}): void {
  const file = process.env.KYMO_BUILD_LOG;
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
  } catch {
    // Only the count of the units suffers.
  }
}

/** The same for all sources of a command line whose texts are not read: Fortran, and what needs the compiler's own pipeline. */
export function logSources(line: CommandLine, option?: string): void {
  for (const { file, language } of line.items.filter(isInput)) {
    if (language !== 'object' && language !== undefined)
      logUnit({ source: path.resolve(file), sites: 'entries', ...present({ option }) });
  }
}
