import { mpiAssignments, placeholderOf } from './compilerVariables';
import { shellWord, targetNameOf, type Drafts, type TargetDraft } from './draft';
import type { Language, SourceFile, Survey } from './survey';

/** Programs of a folder without a build system: one for each file with a main program. */
export function singleFileDrafts(found: Survey): Drafts {
  const mains = found.sources.filter((source) => source.hasMain);
  const parts = found.sources.filter((source) => !source.hasMain);
  const notes: string[] = [];
  if (mains.length > 1 && parts.length > 0)
    notes.push(
      'Several files have a main program: each is built with all files that have none. Correct "command" where that is wrong.',
    );
  const targets = mains.slice(0, 8).map((main) => draft(main, parts, found));
  return { targets, notes };
}

function draft(main: SourceFile, parts: readonly SourceFile[], found: Survey): TargetDraft {
  const name = main.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  const program = `./${name}`;
  const sources = inModuleOrder([...parts, main]);
  const objects = sources.map(({ path }) => `${path.replaceAll('/', '_').replace(/\.[^.]*$/, '')}.o`);
  const flags = ['-O2', '-g', ...(found.usesOpenMp ? ['-fopenmp'] : [])].join(' ');
  const mixed = new Set(sources.map(({ language }) => language)).size > 1;
  const compiler = (language: Language): string =>
    found.usesMpi ? mpiCompiler[language] : placeholderOf[language];
  const libraries =
    mixed && sources.some(({ language }) => language === 'Fortran') ? '-lgfortran -lm' : '-lm';
  const steps = mixed
    ? [
        ...sources.map(
          ({ path, language }, index) =>
            `${compiler(language)} ${flags} -c ${shellWord(path)} -o ${shellWord(objects[index] ?? '')}`,
        ),
        `${compiler(linker(sources))} ${flags} -o ${shellWord(name)} ${objects.map(shellWord).join(' ')} ${libraries}`,
      ]
    : [
        `${compiler(main.language)} ${flags} -o ${shellWord(name)} ${sources.map(({ path }) => shellWord(path)).join(' ')} ${libraries}`,
      ];
  const exported = found.usesMpi
    ? [`export ${mpiAssignments([...new Set(sources.map(({ language }) => language))])}`]
    : [];
  return {
    name: targetNameOf(name),
    build: {
      command: [...exported, ...steps].join(' && '),
      clean: `rm -f ${[name, ...(mixed ? objects : [])].map(shellWord).join(' ')}`,
    },
    executable: program,
    ...(found.usesMpi ? { ranks: [2] } : {}),
  };
}

const mpiCompiler: Readonly<Record<Language, string>> = { C: 'mpicc', 'C++': 'mpicxx', Fortran: 'mpifort' };

/** C++ needs its own start-up and library more than the others do. */
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
    // A circle cannot be built in any order.
    result.push(...left.splice(Math.max(ready, 0), 1));
  }
  return result;
}
