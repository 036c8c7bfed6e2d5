import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../core/present';
import { identifyCompiler, type CompilerIdentity } from './compilerIdentity';
import { writeAtomically } from '../files/atomicFile';
import type { WrapperSettings } from './settings';
import { hashOfParts } from './unitHash';

/** The compiler's identity, determined once per compiler: a build starts the wrapper thousands of times. */
export async function cachedIdentity(
  settings: WrapperSettings,
  environment: NodeJS.ProcessEnv,
): Promise<CompilerIdentity | undefined> {
  const file = path.join(settings.cache, 'compilers', `${compilerKey(settings.compiler, environment)}.json`);
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isIdentity(stored)) return stored;
  } catch {
    // There is no entry for this compiler yet.
  }
  const identity = await identifyCompiler(settings.compiler);
  if (identity !== undefined) {
    try {
      writeAtomically(file, JSON.stringify(identity));
    } catch {
      // A cache that cannot be written costs time only.
    }
  }
  return identity;
}

/** A hash that changes with the compiler: times and sizes of its files, and the variables by which MPI's wrappers choose it. */
export function compilerKey(compiler: readonly string[], environment: NodeJS.ProcessEnv): string {
  const programs = compiler.map((word) => {
    const program = findProgram(word, environment.PATH ?? '');
    if (program === undefined) return word;
    const { size, mtimeMs } = statSync(program);
    return `${program} ${size} ${mtimeMs}`;
  });
  const choices = Object.entries(environment)
    .filter(([name]) => /^((OMPI|MPICH|I_MPI)_(CC|CXX|FC|F77|F90)|GCC_EXEC_PREFIX|COMPILER_PATH)$/.test(name))
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .sort();
  return hashOfParts([...programs, ...choices]);
}

/** A program by path, or by name in `PATH`. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : searchPath.split(':').map((folder) => path.join(folder === '' ? '.' : folder, name));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

function isIdentity(value: unknown): value is CompilerIdentity {
  return isRecord(value) && ['family', 'version', 'architecture'].every((name) => name in value);
}
