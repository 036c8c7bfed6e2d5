import type { Node } from 'jsonc-parser';
import path from 'node:path';
import {
  childRelevances,
  defaultImbalanceOptions,
  defaultImbalanceThreshold,
  imbalanceContexts,
  imbalanceMetrics,
  type ImbalanceOptions,
} from '../../core/selection/imbalanceOptions';
import { overheadReductions, strategies } from '../../core/selection/strategy';
import { ownFolder, type Launcher, type RefinementOptions, type ScorepSettings, type Target } from './config';
import { ObjectReader, readNumber, readString, readText, typeName } from './configReader';
import { isKymoError } from '../../core/errors';
import { parseExpectation } from '../../core/modeling/expectations';
import { suggestion } from '../../core/nearest';
import { namesInModels } from '../../core/study/parameterNames';
import { placeholderNames } from './inputFiles';
import { unknownPlaceholder } from './buildPlaceholders';
import { placeholders } from './substitute';
import { present } from '../../core/present';
import { parseGate } from './parseGate';
import { parseModel } from './parseModel';
import { parseStudy } from './parseStudy';
import { parseTrace } from './parseTrace';
import { parseRanks, parseValues } from './parseValues';

/** Names become folders and parts of file names. The JSON schema has the same pattern. */
const targetName = /^[\p{L}\p{N}_][\p{L}\p{N}._+ -]*$/u;
const parameterName = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Names of files that runs get: no folders, and nothing hidden. The JSON schema has the same pattern. */
const fileName = targetName;
/** Longest name of a target in characters: folder names end at 255 bytes. */
const longestName = 60;

/** @param workspace absolute path of the folder with `kymo.json` */
export function parseTarget(reader: ObjectReader, workspace: string): Target {
  const { source } = reader;
  const name = parseName(reader);
  reader.required('build');
  const build = parseBuild(reader, workspace);
  const parameters = parseParameters(reader);
  const run = parseRun(reader, workspace, Object.keys(parameters));
  const executableNode = reader.required('executable');
  const executable = readText(source, executableNode, '"executable"');
  warnOutside(reader, executableNode, '"executable"', executable, workspace);
  const phase = reader.text('phase');
  return {
    name,
    build,
    sources: reader.strings('sources'),
    executable,
    run,
    parameters,
    repetitions: reader.count('repetitions', 3),
    ...present({ phase }),
    pthreads: reader.flag('pthreads') ?? false,
    io: reader.flag('io') ?? false,
    counters: reader.flag('counters') ?? false,
    ...present({ trace: parseTrace(reader) }),
    refinement: parseRefinement(reader, Object.keys(parameters)),
    study: parseStudy(reader, Object.keys(parameters)),
    expect: parseExpect(reader, namesInModels(Object.keys(parameters))),
    gate: parseGate(reader),
    backend: reader.oneOf('backend', ['auto', 'kymo', 'scorep']) ?? 'auto',
    scorep: parseScorep(reader),
  };
}

/** @param names that growths can have */
function parseExpect(target: ObjectReader, names: readonly string[]): Target['expect'] {
  const reader = target.object('expect');
  const functions = reader?.keys() ?? [];
  return Object.fromEntries(
    functions.flatMap((name) => {
      const node = reader?.required(name);
      return node === undefined ? [] : [[name, readGrowth(target, node, name, names)]];
    }),
  );
}

/** Read now, so that no study is measured before a mistake in it is known. */
function readGrowth(target: ObjectReader, node: Node, name: string, names: readonly string[]): string {
  const text = readText(target.source, node, `the growth of ${JSON.stringify(name)}`);
  try {
    parseExpectation(text, names);
  } catch (error) {
    if (isKymoError(error)) target.source.fail(node, error.message);
    throw error;
  }
  return text;
}

function parseName(reader: ObjectReader): string {
  const node = reader.required('name');
  const name = readText(reader.source, node, '"name"');
  if (!targetName.test(name) || name.length > longestName)
    reader.source.fail(
      node,
      `"name" must be at most ${longestName} letters, digits, blanks and "._+-", and begin with a letter or digit; found ${typeName(node)}.`,
    );
  return name;
}

function parseBuild(target: ObjectReader, workspace: string): Target['build'] {
  const reader = new ObjectReader(target.source, target.required('build'), '"build"', [
    'command',
    'clean',
    'configure',
    'cwd',
  ]);
  const commandNode = reader.required('command');
  const command = readText(target.source, commandNode, '"command"');
  const configure = reader.text('configure');
  if (![command, configure ?? ''].flatMap(placeholders).some((name) => ['cc', 'cxx', 'fc'].includes(name)))
    target.source.warn(
      commandNode,
      '"command" uses none of ${cc}, ${cxx} and ${fc}: pass them to the build in place of the compilers (such as CC=${cc}), or nothing can be measured.',
    );
  const clean = reader.text('clean');
  for (const key of ['command', 'configure', 'clean']) checkBuildPlaceholders(reader, key);
  return {
    command,
    ...present({ clean, configure }),
    cwd: folder(reader, workspace),
  };
}

/** The shell would put nothing in the place of a mistyped compiler, so that the build would be wrong in silence. */
function checkBuildPlaceholders(build: ObjectReader, key: string): void {
  const node = build.nodeOf(key);
  const unknown = unknownPlaceholder(build.text(key) ?? '');
  if (node === undefined || unknown === undefined) return;
  const { name, intended } = unknown;
  const hint = intended === undefined ? '' : `; did you mean "\${${intended}}"?`;
  build.source.fail(
    node,
    `"${key}" has \${${name}}, which is neither \${cc}, \${cxx} or \${fc} nor set by the command or the environment${hint || '.'} Write $\${${name}} where the shell shall read it.`,
  );
}

function parseRun(target: ObjectReader, workspace: string, parameters: readonly string[]): Target['run'] {
  const reader = target.object('run', [
    'arguments',
    'cwd',
    'environment',
    'timeoutSeconds',
    'input',
    'files',
    'successStatuses',
    'launcher',
    'together',
  ]);
  if (reader === undefined)
    return {
      arguments: [],
      cwd: '.',
      environment: {},
      timeoutSeconds: 600,
      successStatuses: [0],
      launcher: { kind: 'local' },
    };
  const input = reader.text('input');
  const together = reader.flag('together');
  const files = parseFiles(reader, workspace);
  const names = placeholderNames(parameters, files);
  checkPlaceholders(reader, reader.list('arguments', 'strings'), '"arguments"', names);
  const inputNode = reader.nodeOf('input');
  if (inputNode !== undefined) checkPlaceholders(reader, [inputNode], '"input"', names);
  return {
    arguments: reader.strings('arguments'),
    cwd: runFolder(reader, workspace, files),
    environment: parseEnvironment(reader),
    timeoutSeconds: reader.positive('timeoutSeconds', 600),
    ...present({ input, files }),
    successStatuses: parseStatuses(reader),
    launcher: parseLauncher(reader, names),
    ...present({ together }),
  };
}

function runFolder(run: ObjectReader, workspace: string, files: Target['run']['files']): string {
  const node = run.nodeOf('cwd');
  if (node === undefined || run.text('cwd') !== ownFolder) return folder(run, workspace);
  if (files === undefined)
    run.source.fail(
      node,
      `"cwd": "${ownFolder}" is the folder of the run's own files, and "files" names none, such as {"run.in": "run.in.template"}.`,
    );
  return ownFolder;
}

function parseFiles(run: ObjectReader, workspace: string): Target['run']['files'] {
  const reader = run.object('files');
  if (reader === undefined || reader.keys().length === 0) return undefined;
  const entries = reader.keys().map((name) => {
    const node = reader.required(name);
    if (!fileName.test(name) || name.length > longestName)
      run.source.fail(
        node,
        `${JSON.stringify(name)} cannot be the name of a file that runs get: use letters, digits, blanks and "._+-", without folders.`,
      );
    const template = readText(run.source, node, `the template of ${JSON.stringify(name)}`);
    warnOutside(reader, node, 'the template', template, workspace);
    return [name, { template }] as const;
  });
  return Object.fromEntries(entries);
}

function checkPlaceholders(
  reader: ObjectReader,
  nodes: readonly Node[],
  what: string,
  names: readonly string[],
): void {
  for (const node of nodes)
    for (const name of placeholders(readString(reader.source, node, `each item of ${what}`))) {
      if (!names.includes(name))
        reader.source.fail(
          node,
          `\${${name}} is no parameter of this target${suggestion(name, names) || '.'} Add it to "parameters", or write $\${${name}} for the text itself.`,
        );
    }
}

function parseEnvironment(run: ObjectReader): Readonly<Record<string, string>> {
  const reader = run.object('environment');
  if (reader === undefined) return {};
  const entries = reader.keys().map((name): [string, string] => {
    const node = reader.required(name);
    if (!/^[^=\0]+$/.test(name))
      run.source.fail(node, `${JSON.stringify(name)} cannot be the name of an environment variable.`);
    return [name, readString(run.source, node, JSON.stringify(name))];
  });
  return Object.fromEntries(entries);
}

function parseStatuses(run: ObjectReader): readonly number[] {
  const items = run.list('successStatuses', 'exit statuses');
  if (items.length === 0) return [0];
  return items.map((item) => {
    const status = readNumber(item);
    if (status === undefined || !Number.isInteger(status) || status < 0 || status > 255)
      run.source.fail(
        item,
        `each item of "successStatuses" must be an exit status (0 to 255), found ${typeName(item)}.`,
      );
    return status;
  });
}

function parseLauncher(run: ObjectReader, names: readonly string[]): Launcher {
  const reader = run.object('launcher', ['kind', 'ranks', 'arguments', 'command']);
  if (reader === undefined) return { kind: 'local' };
  reader.required('kind');
  const kind = reader.oneOf('kind', ['local', 'mpirun', 'slurm', 'template']) ?? 'local';
  const ranksNode = reader.nodeOf('ranks');
  const ranks = ranksNode === undefined ? undefined : parseRanks(run.source, ranksNode, '"ranks"');
  checkPlaceholders(reader, reader.list('arguments', 'strings'), '"arguments"', names);
  checkPlaceholders(reader, reader.list('command', 'strings'), '"command"', [...names, 'program']);
  const words = reader.strings('command');
  warnUnused(reader, kind);
  if (kind === 'local') return { kind };
  if (ranks === undefined)
    run.source.fail(
      reader.node,
      `the launcher "${kind}" needs "ranks": a number such as 4, or a list such as [2, 4, 8].`,
    );
  if (kind === 'template') return { kind, ranks, command: parseCommand(reader, words) };
  return { kind, ranks, arguments: reader.strings('arguments') };
}

const usedBy = {
  ranks: ['mpirun', 'slurm', 'template'],
  arguments: ['mpirun', 'slurm'],
  command: ['template'],
} as const;

function warnUnused(reader: ObjectReader, kind: Launcher['kind']): void {
  for (const [key, kinds] of Object.entries(usedBy)) {
    const node = reader.nodeOf(key);
    if (node === undefined || (kinds as readonly string[]).includes(kind)) continue;
    const others = kinds.map((name) => `"${name}"`).join(' or ');
    reader.source.warn(node, `"${key}" has no effect on the launcher "${kind}"; use ${others}.`);
  }
}

/** The words of a template, one of which contains `${program}`. */
function parseCommand(reader: ObjectReader, words: readonly string[]): readonly [string, ...string[]] {
  const node = reader.required('command');
  const [first, ...rest] = words;
  if (first === undefined || !words.flatMap(placeholders).includes('program'))
    reader.source.fail(
      node,
      '"command" must be the words of a command that starts all ranks, with "${program}" for the program, such as ["bsub", "-I", "-n", "${ranks}", "mpirun", "${program}"].',
    );
  return [first, ...rest];
}

function parseParameters(target: ObjectReader): Target['parameters'] {
  const reader = target.object('parameters');
  if (reader === undefined) return {};
  const entries = reader.keys().map((name): [string, readonly (string | number)[]] => {
    const node = reader.required(name);
    if (!parameterName.test(name) || name.length > longestName)
      target.source.fail(
        node,
        `${JSON.stringify(name)} cannot be the name of a parameter: use letters, digits, "_" and "-", and begin with a letter.`,
      );
    if (name === 'ranks')
      target.source.fail(
        node,
        '"ranks" is the number of the launcher\'s processes; give the parameter another name.',
      );
    warnUnreadable(target, node, name);
    return [name, parseValues(reader, name)];
  });
  return Object.fromEntries(entries);
}

/** Extra-P finds the repetition by the first ".r" of a folder's name, and ends a parameter's name at its first digit. */
function warnUnreadable(target: ObjectReader, node: Node, name: string): void {
  if (name.startsWith('r'))
    target.source.warn(
      node,
      `Extra-P cannot read experiments with a parameter whose name begins with "r", such as ${JSON.stringify(name)}; Kymo can.`,
    );
  else if (/[0-9]/.test(name))
    target.source.warn(
      node,
      `Extra-P cannot read experiments with a digit in a parameter's name, such as ${JSON.stringify(name)}; Kymo can.`,
    );
}

function parseRefinement(target: ObjectReader, parameters: readonly string[]): RefinementOptions {
  const reader = target.object('refinement', [
    'strategy',
    'base',
    'mode',
    'maximumIterations',
    'overheadPercent',
    'budgetSeconds',
    'imbalance',
    'model',
  ]);
  return {
    strategy: reader?.oneOf('strategy', strategies) ?? 'hotspot',
    base: reader?.oneOf('base', overheadReductions) ?? 'tor',
    mode: reader?.oneOf('mode', ['filter-only', 'filter-and-expand']) ?? 'filter-and-expand',
    maximumIterations: reader?.count('maximumIterations', 5) ?? 5,
    overheadPercent: reader?.positive('overheadPercent', 5) ?? 5,
    budgetSeconds: reader?.positive('budgetSeconds', 600) ?? 600,
    imbalance: parseImbalance(reader),
    model: parseModel(reader, parameters),
  };
}

function parseImbalance(refinement: ObjectReader | undefined): ImbalanceOptions {
  const keys = Object.keys(defaultImbalanceOptions);
  const reader = refinement?.object('imbalance', keys);
  if (reader === undefined) return defaultImbalanceOptions;
  const usual = defaultImbalanceOptions;
  const metric = reader.oneOf('metric', imbalanceMetrics) ?? usual.metric;
  return {
    metric,
    imbalanceThreshold: reader.positive('imbalanceThreshold', defaultImbalanceThreshold(metric)),
    relevanceThreshold: reader.positive('relevanceThreshold', usual.relevanceThreshold),
    childRelevance: reader.oneOf('childRelevance', childRelevances) ?? usual.childRelevance,
    childConstantThreshold: reader.positive('childConstantThreshold', usual.childConstantThreshold),
    childFraction: reader.positive('childFraction', usual.childFraction),
    context: reader.oneOf('context', imbalanceContexts) ?? usual.context,
    contextSteps: reader.count('contextSteps', usual.contextSteps),
  };
}

function parseScorep(target: ObjectReader): ScorepSettings {
  const reader = target.object('scorep', ['instrumenter', 'flags', 'filtering', 'environment']);
  if (reader === undefined)
    return { instrumenter: 'scorep', flags: [], filtering: 'hybrid', environment: {} };
  return {
    instrumenter: reader.text('instrumenter') ?? 'scorep',
    flags: reader.strings('flags'),
    filtering: reader.oneOf('filtering', ['hybrid', 'compile-time', 'run-time']) ?? 'hybrid',
    environment: parseEnvironment(reader),
  };
}

function folder(reader: ObjectReader, workspace: string): string {
  const node = reader.nodeOf('cwd');
  const cwd = reader.text('cwd');
  if (node === undefined || cwd === undefined) return '.';
  warnOutside(reader, node, '"cwd"', cwd, workspace);
  return cwd;
}

function warnOutside(reader: ObjectReader, node: Node, what: string, file: string, workspace: string): void {
  const relative = path.relative(workspace, path.resolve(workspace, file));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    reader.source.warn(node, `${what} is outside of the workspace: ${path.resolve(workspace, file)}`);
}
