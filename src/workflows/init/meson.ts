import path from 'node:path';
import type { Asking } from './asking/asking';
import { compilerAssignments, inOrder } from './sources/compilers';
import {
  buildFolder,
  isPlainPath,
  buildWord,
  type Answer,
  type Program,
  type TargetDraft,
} from './asking/draft';
import { parseJson, recordsOf, stringsOf, type JsonObject } from './asking/json';
import type { Language } from './sources/survey';

const seconds = 180;
const setup: readonly [string, ...string[]] = ['meson', 'setup', buildFolder, '--buildtype=debugoptimized'];
const mesonLanguages: Readonly<Record<string, Language>> = { c: 'C', cpp: 'C++', fortran: 'Fortran' };

/** Sets up a build and reads Meson's description of it (`meson introspect --targets`, which Meson also writes to a file). */
export async function askMeson(asking: Asking): Promise<Answer> {
  const { problem } = await asking.run(setup, seconds);
  if (problem !== undefined) return { kind: 'unknown', why: `Meson could not set the build up: ${problem}` };
  const value = parseJson(await asking.read(`${buildFolder}/meson-info/intro-targets.json`));
  if (value === undefined) return { kind: 'unknown', why: 'Meson wrote no description of the build' };
  const targets = recordsOf(value);
  const languages = inOrder(targets.flatMap(languagesOf));
  const programs = targets.flatMap((target) => programOf(target, asking));
  return { kind: 'programs', programs, notes: [], build: ({ target }) => mesonBuild(languages, target) };
}

export function mesonBuild(languages: readonly Language[], target?: string): TargetDraft['build'] {
  const compile = [
    'meson',
    'compile',
    '-C',
    buildFolder,
    ...(target === undefined ? [] : [buildWord(target)]),
  ];
  return {
    command: `${compilerAssignments(languages)} ${setup.join(' ')} && ${compile.join(' ')}`.trim(),
    clean: `rm -rf ${buildFolder}`,
  };
}

function sourcesOf(target: JsonObject): readonly JsonObject[] {
  return recordsOf(target.target_sources);
}

function languagesOf(target: JsonObject): readonly Language[] {
  return sourcesOf(target).flatMap(({ language }) => mesonLanguages[String(language)] ?? []);
}

function programOf(target: JsonObject, asking: Asking): readonly Program[] {
  const { name, type, filename, installed, defined_in: definedIn } = target;
  const [absolute] = stringsOf(filename);
  if (type !== 'executable' || typeof name !== 'string' || absolute === undefined) return [];
  const file = asking.relative(absolute);
  if (!isPlainPath(file) || !isPlainPath(name)) return [];
  const inBuild = path.posix.relative(buildFolder, file);
  return [
    {
      name,
      file,
      folder: asking.relative(path.dirname(String(definedIn))),
      // Two folders may each have a program of this name.
      target: path.posix.join(path.posix.dirname(inBuild), name),
      ...(installed === true ? { purpose: 'installed' as const } : {}),
      commands: JSON.stringify([target.target_sources, target.dependencies]),
    },
  ];
}
