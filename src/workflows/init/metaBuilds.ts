import path from 'node:path';
import { compilerAssignments, languagesOf, placeholderOf } from './compilerVariables';
import { shellWord, targetNameOf, type Drafts, type TargetDraft } from './draft';
import { linkedByDefault } from './makefile';
import type { Language, Survey } from './survey';

/** Folder of the builds that Kymo makes; the user's own build folder is left alone. */
const buildFolder = 'build-kymo';
/** A file with hundreds of programs (tests, examples) would make a configuration that nobody reads. */
const mostTargets = 8;

/** One description file of a build: where it is (relative folder, "" for the top) and its text. */
export interface BuildFile {
  readonly folder: string;
  readonly text: string;
}

export interface Program {
  readonly name: string;
  /** Relative to the build folder. */
  readonly file: string;
  /** Folder of the file that describes it. */
  readonly folder: string;
}

/** @param files CMakeLists.txt of the top and of its subdirectories */
export function cmakeDrafts(files: readonly BuildFile[], found: Survey, jobs: number): Drafts {
  const all = files.map(({ text }) => withoutHashComments(text)).join('\n');
  const project = /\bproject\s*\(\s*["]?([^\s")]+)/i.exec(all)?.[1] ?? 'program';
  const expand = (text: string): string =>
    text.replaceAll('"', '').replace(/\$\{(?:CMAKE_)?PROJECT_NAME\}/g, () => project);
  const output = runtimeFolders(files);
  const programs = files.flatMap(({ folder, text }) =>
    [...withoutHashComments(text).matchAll(/\badd_executable\s*\(\s*([^\s)]+)\s*([^\s)]*)/gi)].flatMap(
      ([, written = '', second = '']): Program[] => {
        const name = expand(written);
        if (name.includes('$') || ['ALIAS', 'IMPORTED'].includes(second)) return [];
        return [
          { name, file: join(output(folder) ?? folder, outputName(expand(all), name) ?? name), folder },
        ];
      },
    ),
  );
  const compilers = languagesOf(found).map(
    (language) => `-DCMAKE_${cmakeLanguage[language]}_COMPILER=${placeholderOf[language]}`,
  );
  const configure = [
    'cmake',
    '-S',
    '.',
    '-B',
    buildFolder,
    '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
    ...compilers,
  ].join(' ');
  return drafts('CMakeLists.txt', 'add_executable', programs, found, ({ name, file }) => ({
    name: targetNameOf(name),
    build: {
      command: `${configure} && cmake --build ${buildFolder} -j${jobs} --target ${shellWord(name)}`,
      clean: `rm -rf ${buildFolder}`,
    },
    executable: `${buildFolder}/${file}`,
  }));
}

const cmakeLanguage: Readonly<Record<Language, string>> = { C: 'C', 'C++': 'CXX', Fortran: 'Fortran' };

/** Where the programs of a folder go, if that is set: there, or in the nearest folder above, which hands its variables down. */
function runtimeFolders(files: readonly BuildFile[]): (folder: string) => string | undefined {
  const own = new Map(
    files.map(({ folder, text }) => [folder, runtimeFolder(withoutHashComments(text), folder)]),
  );
  return (folder) => {
    for (let at = folder; ; at = path.posix.dirname(at)) {
      const key = at === '.' ? '' : at;
      const set = own.get(key);
      if (set !== undefined || key === '') return set;
    }
  };
}

function runtimeFolder(text: string, folder: string): string | undefined {
  const written =
    /\bset\s*\(\s*(?:CMAKE_RUNTIME_OUTPUT_DIRECTORY|EXECUTABLE_OUTPUT_PATH)\s+["]?([^\s")]+)/i.exec(
      text,
    )?.[1];
  const [, current, kind, rest = ''] =
    /^\$\{(?:CMAKE|PROJECT|CMAKE_(CURRENT))_(BINARY|SOURCE)_DIR\}\/?(.*)$/.exec(written ?? '') ?? [];
  if (kind === undefined) return undefined;
  const root = kind === 'BINARY' ? '' : '..';
  return path.posix.join(root, current === undefined ? '' : folder, rest);
}

function outputName(text: string, target: string): string | undefined {
  const calls = [...text.matchAll(/\bset_target_properties\s*\(([^)]*)\)/gi)].map(([, words = '']) => words);
  const call = calls.find((words) => words.trim().split(/\s+/).includes(target));
  const name = call === undefined ? undefined : /\bOUTPUT_NAME\s+"?([^\s"]+)/.exec(call)?.[1];
  return name?.includes('$') === true ? undefined : name;
}

/** @param files meson.build of the top and of its subdirectories */
export function mesonDrafts(files: readonly BuildFile[], found: Survey): Drafts {
  const programs = files.flatMap(({ folder, text }) =>
    [...withoutHashComments(text).matchAll(/\bexecutable\s*\(\s*'([^']+)'/g)].map(
      ([, name = '']): Program => ({ name, file: join(folder, name), folder }),
    ),
  );
  const compilers = compilerAssignments(languagesOf(found));
  return drafts('meson.build', 'executable()', programs, found, ({ name, file }) => ({
    name: targetNameOf(name),
    build: {
      command: `${compilers} meson setup ${buildFolder} --buildtype=debugoptimized && meson compile -C ${buildFolder}`,
      clean: `rm -rf ${buildFolder}`,
    },
    executable: `${buildFolder}/${file}`,
  }));
}

/** @param files Makefile.am of the top and of its subdirectories */
export function automakePrograms(files: readonly BuildFile[]): readonly Program[] {
  return files.flatMap(({ folder, text }) =>
    [
      ...withoutHashComments(text)
        .replace(/\\\n/g, ' ')
        .matchAll(/^(?:bin|noinst|libexec|sbin)_PROGRAMS\s*\+?=\s*(.*)$/gm),
    ]
      .flatMap(([, names = '']) => names.split(/\s+/).filter((name) => /^[\w.+-]+$/.test(name)))
      .map((name): Program => ({ name, file: join(folder, name), folder })),
  );
}

/** @param text Makefile.in of a package that has a configure script and no automake */
export function autoconfPrograms(text: string): readonly Program[] {
  const program = linkedByDefault(text.replace(/@\w+@/g, ''))?.replace(/^\.\//, '');
  return program === undefined ? [] : [{ name: program, file: program, folder: '' }];
}

/**
 * @param programs what the package's Makefiles link
 * @param autoconf text of configure.ac, if there is one
 */
export function autotoolsDrafts(
  programs: readonly Program[],
  autoconf: string | undefined,
  hasConfigure: boolean,
  found: Survey,
  jobs: number,
): Drafts {
  const prepare = hasConfigure ? '' : '(test -x configure || autoreconf -i) && ';
  const options = [
    ...languagesOf(found).map((language) => compilerAssignments([language])),
    // Libtool would put a script in the program's place.
    ...(/\bLT_INIT\b|\bA[CM]_PROG_LIBTOOL\b/.test(autoconf ?? '') ? ['--disable-shared'] : []),
  ].join(' ');
  return drafts('the Makefiles of the package', 'program', programs, found, ({ name, file }) => ({
    name: targetNameOf(name),
    build: {
      command: `${prepare}mkdir -p ${buildFolder} && cd ${buildFolder} && (test -f Makefile || ../configure ${options}) && make -j${jobs}`,
      clean: `rm -rf ${buildFolder}`,
    },
    executable: `${buildFolder}/${file}`,
  }));
}

function drafts(
  file: string,
  keyword: string,
  programs: readonly Program[],
  found: Survey,
  draft: (program: Program) => TargetDraft,
): Drafts {
  const unique = [...new Map(programs.map((program) => [program.name.toLowerCase(), program])).values()];
  // Programs that test or show something are rarely the ones to measure.
  const isAside = ({ name, folder }: Program): boolean => /test|example|demo|unit/i.test(`${folder} ${name}`);
  const sorted = [...unique.filter((item) => !isAside(item)), ...unique.filter(isAside)];
  const notes: string[] = [];
  if (sorted.length === 0) {
    notes.push(`No ${keyword} was found in ${file}: set "executable" in kymo.json.`);
    sorted.push({ name: 'program', file: 'program', folder: '' });
  }
  if (sorted.length > mostTargets)
    notes.push(`Only the first ${mostTargets} of ${sorted.length} programs became targets.`);
  return {
    targets: sorted
      .slice(0, mostTargets)
      .map((program) => ({ ...draft(program), ...(found.usesMpi ? { ranks: [2] } : {}) })),
    notes,
  };
}

function withoutHashComments(text: string): string {
  return text.replace(/#.*$/gm, '');
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`;
}
