import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Asking, Reply } from './asking/asking';
import { placeholderOf } from './sources/compilers';
import {
  buildFolder,
  buildWord,
  isPlainPath,
  outsideNotes,
  shellWord,
  type Answer,
  type Program,
  type TargetDraft,
} from './asking/draft';
import { isRecord, parseJson, recordsOf, type JsonObject } from './asking/json';
import type { Language } from './sources/survey';

const seconds = 180;
const replies = `${buildFolder}/.cmake/api/v1/reply`;
/** Maximum number of targets to read. */
const mostTargets = 5000;

const configure: readonly [string, ...string[]] = [
  'cmake',
  '-S',
  '.',
  '-B',
  buildFolder,
  '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
];
const cmakeLanguages: Readonly<Record<string, Language>> = { C: 'C', CXX: 'C++', Fortran: 'Fortran' };

/** Configures a build and reads CMake's description of it (file API, cmake-file-api(7): codemodel version 2). */
export async function askCMake(asking: Asking, jobs: number): Promise<Answer> {
  const query = path.join(asking.folder, buildFolder, '.cmake/api/v1/query');
  await mkdir(query, { recursive: true });
  await writeFile(path.join(query, 'codemodel-v2'), '');
  const { reply, options, notes } = await configured(asking);
  if (reply.problem !== undefined)
    return { kind: 'unknown', why: `CMake could not configure the build: ${reply.problem}` };
  const targets = await readTargets(asking);
  if (targets === undefined)
    return {
      kind: 'unknown',
      why: 'CMake wrote no description of the build (it must be version 3.14 or newer)',
    };
  const languages = new Set(targets.flatMap(languagesOf));
  const executables = targets.flatMap((target) => programOf(target, asking));
  const programs = executables.filter(({ file }) => isPlainPath(file));
  const left = executables.length - programs.length;
  return {
    kind: 'programs',
    programs,
    notes: [...notes, ...outsideNotes(left)],
    build: (program) => cmakeBuild([...languages], jobs, options, program),
  };
}

export function cmakeBuild(
  languages: readonly Language[],
  jobs: number,
  options: readonly string[] = [],
  program?: Program,
): TargetDraft['build'] {
  const compilers = Object.entries(cmakeLanguages)
    .filter(([, language]) => languages.includes(language))
    .map(([name, language]) => `-DCMAKE_${name}_COMPILER=${placeholderOf[language]}`);
  const build = ['cmake', '--build', buildFolder, `-j${String(jobs)}`];
  if (program?.target !== undefined) build.push('--target', buildWord(program.target));
  // A project may put its programs beside its sources.
  const elsewhere = program === undefined || program.file.startsWith(`${buildFolder}/`) ? [] : [program.file];
  return {
    command: `${[...configure, ...options, ...compilers].join(' ')} && ${build.join(' ')}`,
    clean: ['rm', '-rf', buildFolder, ...elsewhere.map(shellWord)].join(' '),
  };
}

/** First attempt with all options; tests often need uninstalled or downloaded packages, and are not measured anyway. */
async function configured(asking: Asking): Promise<{
  readonly reply: Reply;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}> {
  const reply = await asking.run(configure, seconds);
  const options =
    reply.problem === undefined
      ? []
      : testOptions((await asking.read(`${buildFolder}/CMakeCache.txt`)) ?? '');
  if (options.length === 0) return { reply, options, notes: [] };
  const second = await asking.run([...configure, ...options], seconds);
  if (second.problem !== undefined) return { reply: second, options: [], notes: [] };
  const note = `The build is configured with ${options.join(' ')}, because without it: ${reply.problem ?? ''}`;
  return { reply: second, options, notes: [note] };
}

/** Arguments that switch off enabled options of the cache for tests, examples and the like. */
function testOptions(cache: string): readonly string[] {
  const names = [...cache.matchAll(/^(\w+):BOOL=(?:ON|TRUE|YES|1)$/gim)].map(([, name = '']) => name);
  return names
    .filter((name) => /(^|_)(UNIT)?(TESTS?|TESTING|BENCHMARKS?|EXAMPLES?|FUZZ\w*)$/i.test(name))
    .map((name) => `-D${name}=OFF`);
}

/** The descriptions of all targets of the first configuration. */
async function readTargets(asking: Asking): Promise<readonly JsonObject[] | undefined> {
  const files = await readdir(path.join(asking.folder, replies)).catch(() => []);
  const index = files
    .filter((name) => /^index-.*\.json$/.test(name))
    .sort()
    .at(-1);
  const objects = (await readReply(asking, index))?.objects;
  const model = recordsOf(objects).find(({ kind }) => kind === 'codemodel');
  const [configuration] = recordsOf((await readReply(asking, model?.jsonFile))?.configurations);
  if (configuration === undefined) return undefined;
  const targets = recordsOf(configuration.targets).slice(0, mostTargets);
  return recordsOf(await Promise.all(targets.map(({ jsonFile }) => readReply(asking, jsonFile))));
}

async function readReply(asking: Asking, name: unknown): Promise<JsonObject | undefined> {
  if (typeof name !== 'string') return undefined;
  const value = parseJson(await asking.read(`${replies}/${path.basename(name)}`));
  return isRecord(value) ? value : undefined;
}

function languagesOf(target: JsonObject): readonly Language[] {
  return recordsOf(target.compileGroups).flatMap(({ language }) => cmakeLanguages[String(language)] ?? []);
}

function programOf(target: JsonObject, asking: Asking): readonly Program[] {
  const { name, type, artifacts, paths, install } = target;
  const artifact = recordsOf(artifacts)[0]?.path;
  if (type !== 'EXECUTABLE' || typeof name !== 'string' || typeof artifact !== 'string' || !isPlainPath(name))
    return [];
  const source = isRecord(paths) ? String(paths.source) : '';
  return [
    {
      name,
      file: asking.relative(artifact, buildFolder),
      folder: asking.relative(source),
      target: name,
      ...(install === undefined ? {} : { purpose: 'installed' as const }),
      commands: JSON.stringify([target.compileGroups, target.link]),
    },
  ];
}
