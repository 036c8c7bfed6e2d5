import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { cachedIdentity } from '../compilers/identityCache';
import { analyse, loadParser } from './analyser';
import type { CommandLine } from './commandLine/commandLine';
import { readCompilerGraph } from './compilerGraph';
import { say, type CompilerRun } from './compilerRun';
import { logSources, logUnit, writeFragment } from './fragments';
import { preprocessArguments, type Plan, type UnitPlan } from './commandLine/plan';
import type { WrapperSettings } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';
import { present } from '../../core/present';

export interface CollectRequest {
  readonly run: CompilerRun;
  readonly settings: WrapperSettings;
  /** The original arguments. */
  readonly argumentList: readonly string[];
  readonly plan: Plan;
  /** Folder of the parsers. */
  readonly grammars: string;
}

/**
 * Runs the user's own command unchanged, and collects the fragments of its units: the call graph for a measurement system that
 * inserts its own sites. A failure of the collection happens after the compiler has finished, and only loses a part of the graph.
 * @returns the compiler's status
 */
export async function collect(request: CollectRequest): Promise<number> {
  const { run, argumentList, plan } = request;
  if (plan.kind !== 'units') {
    const { status } = await run.run(argumentList, 'nothing');
    if (status === 0 && plan.kind === 'entries') logSources(plan.line);
    return status;
  }
  const dump = await dumpOption(request, plan.units);
  const { status } = await run.run(
    dump === undefined ? argumentList : [...argumentList, dump.option],
    'nothing',
  );
  if (status !== 0) return status;
  for (const unit of plan.units) {
    try {
      await collectUnit(request, plan.line, unit, dump?.file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`${unit.input.file}: its part of the call graph cannot be made (${reason})`);
      logUnit({ source: path.resolve(unit.input.file), sites: 'entries' });
    }
  }
  return status;
}

interface Dump {
  readonly option: string;
  readonly file: string;
}

/** gcc dumps the calls of a C++ unit while it compiles. The option names one file, so only a command with one unit can use it. */
async function dumpOption(
  { run, settings }: CollectRequest,
  units: readonly UnitPlan[],
): Promise<Dump | undefined> {
  const [unit] = units;
  if (units.length !== 1 || unit?.language !== 'c++') return undefined;
  const identity = await cachedIdentity(settings, process.env);
  if (identity?.family !== 'gcc') return undefined;
  const file = path.join(run.scratch('graph'), 'cgraph');
  return { option: `-fdump-ipa-cgraph=${file}`, file };
}

async function collectUnit(
  { run, settings, grammars }: CollectRequest,
  line: CommandLine,
  unit: UnitPlan,
  dump: string | undefined,
): Promise<void> {
  const bytes = unit.preprocessed ? readFileSync(unit.input.file) : await preprocessed(run, line, unit);
  const source = path.resolve(unit.input.file);
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const parser = await loadParser(unit.language, grammars);
  const analysis = analyse(parser, text, unit.language, source, settings.minimumStatements);
  const graph = dump === undefined ? undefined : readCompilerGraph(dump);
  const hash = hashOfParts(['collected', ...settings.compiler, source, text]);
  const functions = analysis.unit.functions.map((f) => ({ ...f, probe: false }));
  writeFragment(settings.store, {
    ...analysis.unit,
    functions,
    hash,
    ...present({ compiler: graph }),
  });
  logUnit({ source, sites: 'text', hash });
}

/** Preprocesses without messages and dependencies, which the compiler has written already. */
async function preprocessed(run: CompilerRun, line: CommandLine, unit: UnitPlan): Promise<Buffer> {
  const withoutDependencies = { ...line, items: line.items.filter((item) => item.role !== 'dependency') };
  const step = await run.run(
    [...preprocessArguments(withoutDependencies, { ...unit, dependencyOptions: [] }), '-w'],
    'both',
  );
  if (step.status !== 0) throw new Error('it cannot be preprocessed');
  return step.stdout;
}
