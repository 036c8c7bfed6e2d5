import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Unit } from '../../core/source/unit';
import { writeAtomically } from '../files/atomicFile';
import { isInput, type CommandLine } from './commandLine/commandLine';
import { say } from './compilerRun';
import { present } from '../../core/present';

/** File of a unit's fragment (docs/formats.md). */
export function fragmentFile(store: string, hash: string): string {
  return path.join(store, 'units', `${hash}.json`);
}

/** File of a unit's text, from which the fragment is generated when needed (runtime/inserter). */
export function keptTextFile(store: string, hash: string): string {
  return path.join(store, 'units', `${hash}.text`);
}

/** A failure to write a fragment must not stop the build. */
export function writeFragment(store: string, unit: Unit): void {
  try {
    writeAtomically(fragmentFile(store, unit.hash), `${JSON.stringify(unit)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`${unit.source}: its part of the call graph cannot be stored (${reason})`);
  }
}

/** Reports a compiled unit to the build step: one line, appended in one write (`KYMO_BUILD_LOG`). */
export function logUnit(entry: {
  readonly source: string;
  readonly sites: 'probes' | 'text' | 'entries';
  readonly hash?: string;
  /** The option that prevents probes. */
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

/** Reports all sources of a command line without fragments: Fortran, and units that need the compiler's own pipeline. */
export function logSources(line: CommandLine, option?: string): void {
  for (const { file, language } of line.items.filter(isInput)) {
    if (language !== 'object' && language !== undefined)
      logUnit({ source: path.resolve(file), sites: 'entries', ...present({ option }) });
  }
}
