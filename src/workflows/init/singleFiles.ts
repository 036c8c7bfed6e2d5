import path from 'node:path';
import { mpiAssignments, mpiCompilers, placeholderOf } from './sources/compilers';
import {
  buildWord,
  isPlainPath,
  shellWord,
  targetNameOf,
  type Drafts,
  type TargetDraft,
} from './asking/draft';
import { launcherOf, type Choices } from './programDrafts';
import type { Language, SourceFile, Survey } from './sources/survey';

/** Programs of a folder without a build system: one for each file with a main program. */
export function singleFileDrafts(survey: Survey, { executable, ...choices }: Choices): Drafts {
  const sources = survey.sources.filter((source) => isPlainPath(source.path));
  const isWanted = (source: SourceFile): boolean =>
    executable === undefined || path.posix.normalize(executable) === programOf(source);
  const all = sources.filter((source) => source.hasMain);
  // Compilers call it a.out; the user chooses any other name.
  const name = choices.typed !== undefined && all.length === 1 ? executable : undefined;
  const mains = name === undefined ? all.filter(isWanted) : all;
  const parts = sources.filter((source) => !source.hasMain);
  const { launcher, note } = launcherOf('', survey, choices);
  const notes = note === undefined ? [] : [note];
  if (mains.length > 1 && parts.length > 0)
    notes.push(
      'Several files have a main program: each is built with all files that have none. Correct "command" where that is wrong.',
    );
  const targets = mains.slice(0, 8).map((main) => ({
    ...draft(main, parts, survey, name),
    ...choices.typed,
    ...launcher,
  }));
  return { targets, notes };
}

function programOf({ path: file }: SourceFile): string {
  return path.posix.basename(file, path.posix.extname(file));
}

/** @param name of the program; default: that of its file */
function draft(
  main: SourceFile,
  parts: readonly SourceFile[],
  survey: Survey,
  name: string = programOf(main),
): TargetDraft {
  const folder = path.posix.dirname(name);
  const prepare = folder === '.' ? [] : [`mkdir -p ${buildWord(folder)}`];
  const sources = inModuleOrder([...parts, main]);
  const objects = sources.map((source) => `${source.path.replaceAll('/', '_').replace(/\.[^.]*$/, '')}.o`);
  const flags = [
    '-O2',
    '-g',
    ...(survey.usesOpenMp ? ['-fopenmp'] : []),
    ...(survey.usesPthreads ? ['-pthread'] : []),
  ].join(' ');
  const mixed = new Set(sources.map(({ language }) => language)).size > 1;
  const compiler = (language: Language): string =>
    survey.usesMpi ? mpiCompilers[language][0] : placeholderOf[language];
  const libraries =
    mixed && sources.some(({ language }) => language === 'Fortran') ? '-lgfortran -lm' : '-lm';
  const steps = mixed
    ? [
        ...sources.map(
          (source, index) =>
            `${compiler(source.language)} ${flags} -c ${buildWord(source.path)} -o ${buildWord(objects[index] ?? '')}`,
        ),
        `${compiler(linker(sources))} ${flags} -o ${buildWord(name)} ${objects.map(buildWord).join(' ')} ${libraries}`,
      ]
    : [
        `${compiler(main.language)} ${flags} -o ${buildWord(name)} ${sources.map((source) => buildWord(source.path)).join(' ')} ${libraries}`,
      ];
  const exported = survey.usesMpi
    ? [`export ${mpiAssignments([...new Set(sources.map(({ language }) => language))])}`]
    : [];
  return {
    name: targetNameOf(path.posix.basename(name)),
    build: {
      command: [...exported, ...prepare, ...steps].join(' && '),
      clean: `rm -f ${[name, ...(mixed ? objects : [])].map(shellWord).join(' ')}`,
    },
    executable: `./${name}`,
  };
}

/** The language whose compiler links: C++ if any, because its start-up and library matter most. */
function linker(sources: readonly SourceFile[]): Language {
  const has = (language: Language): boolean => sources.some((source) => source.language === language);
  return has('C++') ? 'C++' : has('Fortran') ? 'Fortran' : 'C';
}

/** Fortran files after those whose modules they use; otherwise the order stays. */
function inModuleOrder(sources: readonly SourceFile[]): readonly SourceFile[] {
  const left = [...sources];
  const result: SourceFile[] = [];
  while (left.length > 0) {
    const missing = new Set(left.flatMap((source) => source.defines));
    const ready = left.findIndex((source) =>
      source.uses.every((name) => !missing.has(name) || source.defines.includes(name)),
    );
    // Circular uses cannot be built in any order.
    result.push(...left.splice(Math.max(ready, 0), 1));
  }
  return result;
}
