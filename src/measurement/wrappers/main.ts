// The measuring compiler (runtime/wrappers/launch.sh starts it). Exit status: 0: success; 64 + n: the compiler failed with n;
// others: this program failed, and the launcher runs the plain compiler.
import { arch } from 'node:process';
import path from 'node:path';
import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { writeAtomically } from '../files/atomicFile';
import { collect } from './collect';
import { isInput, lastOption, textsOf, type CommandLine, type InputItem } from './commandLine/commandLine';
import { CompilerRun, say } from './compilerRun';
import { cachedIdentity, compilerKey, findProgram } from '../compilers/identityCache';
import { mergeEntryNops } from './entryNops';
import { rememberInserter } from './inserterProgram';
import { link } from './linker';
import { planCommand, type Plan } from './commandLine/plan';
import { expandResponseFiles } from './commandLine/responseFile';
import { sideFileNames } from './commandLine/sideFiles';
import { runtimeAdditions, type LinkAdditions } from './runtimeLibrary';
import { readSettings, type WrapperSettings } from '../compilers/settings';
import { compileUnit } from './unitCompiler';
import { entryOptions } from './commandLine/entryOptions';
import { logSources } from './fragments';

interface Session {
  readonly run: CompilerRun;
  readonly settings: WrapperSettings;
  readonly identity: CompilerIdentity;
}

async function main(argumentList: readonly string[]): Promise<number> {
  const settings = readSettings(
    process.env,
    (program) => findProgram(program, process.env.PATH ?? '') !== undefined,
  );
  const run = new CompilerRun(settings.compiler);
  run.endWithSignals();
  try {
    const plan = planCommand(expandResponseFiles(argumentList), settings.plusPlus);
    if (settings.purpose === 'collect') return await collect({ run, settings, argumentList, plan, grammars });
    const identity = plan.kind === 'plain' ? undefined : await identityOf(settings);
    if (plan.kind === 'plain' || identity === undefined || identity.family === 'other') {
      return (await run.run(argumentList, 'nothing')).status;
    }
    return await execute(plan, { run, settings, identity });
  } finally {
    run.close();
  }
}

/** gfortran without a C compiler does not print its macros, but counts as gcc. */
async function identityOf(settings: WrapperSettings): Promise<CompilerIdentity | undefined> {
  const identity = await cachedIdentity(settings, process.env);
  if (identity !== undefined || settings.kind !== 'fc') return identity;
  const gfortran = settings.compiler.some((word) => path.basename(word).includes('gfortran'));
  const architecture = arch === 'x64' ? 'x86-64' : arch === 'arm64' ? 'aarch64' : 'other';
  return gfortran ? { family: 'gcc', version: '', architecture } : undefined;
}

async function execute(plan: Exclude<Plan, { kind: 'plain' }>, session: Session): Promise<number> {
  switch (plan.kind) {
    case 'link':
      return linkAll(plan, session, new Map(), false);
    case 'entries':
      return compileEntries(plan, session);
    case 'units':
      return compileUnits(plan, session);
  }
}

const grammars = path.join(__dirname, 'grammars');

async function compileUnits(plan: Extract<Plan, { kind: 'units' }>, session: Session): Promise<number> {
  const { identity } = session;
  const names = plan.units.map((unit) =>
    plan.sideFiles === undefined ? [] : sideFileNames(identity, plan.line, unit),
  );
  if (names.includes(undefined))
    return compileEntries({ ...plan, kind: 'entries', reason: plan.sideFiles }, session);
  const objects = new Map<InputItem, string>();
  let status = 0;
  for (const [number, unit] of plan.units.entries()) {
    const context = { ...session, line: plan.line, grammars, sideFileNames: names[number] ?? [] };
    const stem = path.basename(unit.input.file, path.extname(unit.input.file));
    const object = unit.object ?? path.join(session.run.scratch('objects', String(number)), `${stem}.o`);
    const unitStatus = await compileUnit(context, unit, object);
    // Like the compilers, continue with the other units to show all messages.
    if (unitStatus !== 0) status = unitStatus;
    objects.set(unit.input, object);
  }
  // Usual C units start no Node.js after this.
  if (status === 0 && !plan.links && plan.units.some(({ language }) => language === 'c')) {
    const { run, settings } = session;
    await rememberInserter(run, identity, settings, process.env, path.join(__dirname, 'runtime'));
  }
  return status !== 0 || !plan.links
    ? status
    : linkAll(plan, session, objects, hasOtherSources(plan, objects));
}

function hasOtherSources(
  plan: Extract<Plan, { kind: 'units' }>,
  objects: ReadonlyMap<InputItem, string>,
): boolean {
  return plan.line.items
    .filter(isInput)
    .some((input) => input.language !== 'object' && input.language !== undefined && !objects.has(input));
}

async function compileEntries(plan: Extract<Plan, { kind: 'entries' }>, session: Session): Promise<number> {
  if (plan.reason !== undefined) {
    say(
      `${plan.reason} needs the compiler's own way of compiling; functions are measured at their entries only`,
    );
  }
  if (plan.links) {
    const status = await linkAll(plan, session, new Map(), true);
    if (status === 0) logSources(plan.line, plan.reason);
    return status;
  }
  const { run, identity } = session;
  const plainArguments = textsOf(plan.line.items);
  const result = await run.run([...entryOptions(identity, plan.line, true), ...plainArguments], 'stderr');
  if (result.status === 0) {
    process.stderr.write(result.stderr);
    objectsOf(plan.line).forEach(mergeEntryNops);
    logSources(plan.line, plan.reason);
    return 0;
  }
  return (await run.run(plainArguments, 'nothing')).status;
}

/** Object files that `-c` writes. */
function objectsOf(line: CommandLine): string[] {
  const named = lastOption(line.items, '-o')?.value;
  if (named !== undefined) return [named];
  return line.items.filter(isInput).map(({ file }) => `${path.basename(file, path.extname(file))}.o`);
}

async function linkAll(
  plan: Exclude<Plan, { kind: 'plain' }>,
  { run, settings, identity }: Session,
  objects: ReadonlyMap<InputItem, string>,
  sourcesToo: boolean,
): Promise<number> {
  let added: LinkAdditions | undefined;
  const additions = async (): Promise<LinkAdditions> => {
    added = await runtimeAdditions(
      run,
      identity,
      compilerKey(settings.compiler, process.env),
      path.join(__dirname, 'runtime'),
      settings.cache,
    );
    return added;
  };
  const status = await link(run, identity, plan.line, objects, additions, sourcesToo);
  if (status === 0 && added !== undefined && plan.kind === 'link')
    rememberLink(added, identity.family === 'gcc' ? entryOptions(identity, plan.line, false) : []);
  return status;
}

/** Writes the words, one per line, that launch.sh adds to later links of the same kind without starting Node.js. */
function rememberLink({ executable }: LinkAdditions, options: readonly string[]): void {
  const file = process.env.KYMO_LINK_FILE;
  if (file === undefined || file === '') return;
  const words = [...options.filter((option) => option.startsWith('-f')), ...executable];
  if (words.some((word) => word.includes('\n'))) return;
  try {
    writeAtomically(file, words.map((word) => `${word}\n`).join(''));
  } catch {
    // The next link starts Node.js again.
  }
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status === 0 ? 0 : status > 0 && status < 62 ? 64 + status : 65;
  },
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 50;
  },
);
