import { present } from '../../core/present';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Parser } from 'web-tree-sitter';
import type { FunctionSymbol } from '../../core/callgraph/functionSymbol';
import { analyseUnit } from '../../core/source/analyse';
import type { Unit } from '../../core/source/unit';
import { runProcess, type ProcessResult } from '../../measurement/launch/process';
import type { CompilerIdentity } from '../../measurement/compilers/compilerIdentity';
import type { CommandLine } from '../../measurement/wrappers/commandLine/commandLine';
import {
  compileOptions,
  planCommand,
  preprocessArguments,
  type UnitPlan,
} from '../../measurement/wrappers/commandLine/plan';
import { hashOfParts } from '../../measurement/compilers/unitHash';
import { askCompiler } from './askCompiler';
import type { CompileCommand } from './collectInputs';

/** What the analysis of a command needs from outside. */
export interface AnalysisTools {
  /** Folder for this command alone; emptied afterwards. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly parser: (language: 'c' | 'c++') => Promise<Parser>;
  readonly identity: (compiler: readonly [string, ...string[]]) => Promise<CompilerIdentity | undefined>;
}

export type CommandAnalysis =
  | { readonly kind: 'units'; readonly units: readonly Unit[]; readonly symbols: readonly FunctionSymbol[] }
  /** A sentence with the reason why there is none. */
  | { readonly kind: 'none'; readonly why: string };

const launchers = /^(?:ccache|sccache|distcc|icecc)$/;

/** Preprocesses and reads the sources of one compile command, and asks the compiler for mangled names and calls. */
export async function analyseCommand(
  command: CompileCommand,
  tools: AnalysisTools,
): Promise<CommandAnalysis> {
  const { words, rest } = splitCompiler(command.argv);
  const plan = planCommand(rest, isPlusPlus(words));
  if (plan.kind !== 'units') {
    return { kind: 'none', why: `${command.file}: not a C or C++ compilation that can be preprocessed` };
  }
  const units: Unit[] = [];
  const symbols: FunctionSymbol[] = [];
  for (const unit of plan.units) {
    const analysis = await analyseOne(command, words, plan.line, unit, tools);
    if (typeof analysis === 'string') return { kind: 'none', why: analysis };
    units.push(analysis.unit);
    symbols.push(...analysis.symbols);
  }
  return { kind: 'units', units, symbols };
}

function splitCompiler(argv: CompileCommand['argv']): {
  words: readonly [string, ...string[]];
  rest: readonly string[];
} {
  const [first, second, ...others] = argv;
  if (launchers.test(path.basename(first)) && second !== undefined)
    return { words: [first, second], rest: others };
  return { words: [first], rest: argv.slice(1) };
}

function isPlusPlus(words: readonly string[]): boolean {
  return words.some((word) => /(?:\+\+|cxx|CC)(?:-[\d.]+)?$/.test(path.basename(word)));
}

async function analyseOne(
  command: CompileCommand,
  words: readonly [string, ...string[]],
  line: CommandLine,
  plan: UnitPlan,
  tools: AnalysisTools,
): Promise<{ unit: Unit; symbols: readonly FunctionSymbol[] } | string> {
  const source = path.resolve(command.directory, plan.input.file);
  const text = await preprocess(command, words, line, plan, tools);
  if (typeof text !== 'string') return `${source}: ${explain(text, words)}`;
  const { unit } = analyseUnit({
    text,
    language: plan.language,
    parser: await tools.parser(plan.language),
    source,
    directory: command.directory,
    minimumStatements: Number.POSITIVE_INFINITY,
  });
  const answer = await askCompiler({
    identity: await tools.identity(words),
    options: [...words.slice(1), ...compileOptions(line), '-w', '-O0', '-fno-lto'],
    input: ['-x', plan.language === 'c' ? 'cpp-output' : 'c++-cpp-output', textFile(plan, tools)],
    scratch: tools.scratch,
    run: (argumentList) => run(command, [words[0], ...argumentList], tools),
  });
  return {
    unit: {
      ...unit,
      hash: hashOfParts([source, ...command.argv, text]),
      ...present({ compiler: answer.graph }),
    },
    symbols: answer.symbols,
  };
}

/** The text, or how the compiler failed. */
async function preprocess(
  command: CompileCommand,
  words: readonly [string, ...string[]],
  line: CommandLine,
  plan: UnitPlan,
  tools: AnalysisTools,
): Promise<string | ProcessResult> {
  const output = textFile(plan, tools);
  // Dependency files belong to the user's build.
  const items = line.items.filter((item) => item.role !== 'dependency');
  const argumentList = preprocessArguments({ items }, { ...plan, dependencyOptions: [] });
  const result = await run(command, [...words, ...argumentList, '-w', '-o', output], tools);
  if (result.end.kind !== 'exit' || result.end.status !== 0) return result;
  return readFile(output, 'utf8');
}

function textFile(plan: UnitPlan, tools: AnalysisTools): string {
  return path.join(tools.scratch, plan.language === 'c' ? 'unit.i' : 'unit.ii');
}

function run(
  command: CompileCommand,
  [program, ...rest]: readonly [string, ...string[]],
  tools: AnalysisTools,
): Promise<ProcessResult> {
  return runProcess(
    { argv: [program, ...rest] },
    {
      cwd: command.directory,
      signal: tools.signal,
      env: { ...process.env, LC_ALL: 'C', KYMO_WRAPPER: 'off' },
    },
  );
}

function explain(result: ProcessResult, words: readonly string[]): string {
  const compiler = words.join(' ');
  if (result.end.kind === 'failed-to-start')
    return `the compiler “${compiler}” cannot be started (${result.end.error.message})`;
  const message =
    result.stderr.split('\n').find((line) => line.includes('error')) ?? result.stderr.split('\n')[0] ?? '';
  return `“${compiler}” cannot preprocess it: ${message.trim()}`;
}
