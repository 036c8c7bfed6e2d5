import { mkdir, readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Parser } from 'web-tree-sitter';
import type { CallGraph } from '../core/callgraph/callGraph';
import type { FunctionSymbol } from '../core/callgraph/functionSymbol';
import { mergeUnits } from '../core/callgraph/merge/mergeUnits';
import { KymoError } from '../core/errors';
import type { ProgressSink } from '../core/progress';
import type { Unit } from '../core/source/unit';
import { readUnits } from '../measurement/build/readUnits';
import { readObjectSymbols } from '../measurement/symbols/symbolCache';
import { identifyCompiler, type CompilerIdentity } from '../measurement/compilers/compilerIdentity';
import { toolFolder } from '../measurement/files/toolFolder';
import { loadParser } from '../measurement/wrappers/analyser';
import { cacheFolder } from '../measurement/compilers/settings';
import { analyseCommand, type AnalysisTools } from './callgraph/analyseCommand';
import { collectInputs, type CompileCommand } from './callgraph/collectInputs';
import { scratchFolder } from '../measurement/files/leftovers';

export interface CallGraphOptions {
  /** Sources, folders, compile_commands.json files, stores of the wrappers, or programs that they built. */
  readonly paths: readonly string[];
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

export interface CallGraphSummary {
  readonly nodes: number;
  readonly edges: number;
  readonly virtualEdges: number;
  readonly pointerEdges: number;
  /** Own statements of all functions with a body. */
  readonly statements: number;
}

/** The call graph of a program from its sources or its build, and sentences about unreadable inputs. */
export async function makeCallGraph(options: CallGraphOptions): Promise<{
  readonly graph: CallGraph;
  readonly summary: CallGraphSummary;
  readonly notes: readonly string[];
}> {
  const inputs = await collectInputs(options.paths);
  const gathered: Gathered = { units: [], symbols: [], notes: [] };
  await addCommands(inputs.commands, options, gathered);
  for (const store of inputs.stores) await addStore(store, gathered);
  for (const program of inputs.programs) await addProgram(program, options, gathered);
  if (gathered.units.length === 0) {
    const first = gathered.notes[0];
    throw new KymoError(
      'nothing-analysed',
      `No C or C++ source could be analysed in ${options.paths.join(', ')}${first === undefined ? '. Give sources, a folder with sources, or a compile_commands.json.' : `. ${first}`}`,
    );
  }
  const graph = mergeUnits(gathered.units, gathered.symbols);
  return { graph, summary: summarize(graph), notes: gathered.notes };
}

interface Gathered {
  readonly units: Unit[];
  readonly symbols: FunctionSymbol[];
  readonly notes: string[];
}

async function addCommands(
  commands: readonly CompileCommand[],
  options: CallGraphOptions,
  gathered: Gathered,
): Promise<void> {
  if (commands.length === 0) return;
  const scratch = await scratchFolder('callgraph');
  try {
    const tools = { signal: options.signal, parser: parsers(), identity: identities() };
    const results = await inParallel(commands, async (command, index) => {
      const folder = path.join(scratch, String(index));
      await mkdir(folder);
      const result = await analyseCommand(command, { ...tools, scratch: folder });
      await rm(folder, { recursive: true, force: true });
      options.signal.throwIfAborted();
      options.progress.report({
        message: `Analysed ${path.basename(command.file)}`,
        fraction: (index + 1) / commands.length,
      });
      return result;
    });
    for (const result of results) {
      if (result.kind === 'none') gathered.notes.push(result.why);
      else {
        gathered.units.push(...result.units);
        gathered.symbols.push(...result.symbols);
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function parsers(): AnalysisTools['parser'] {
  const loaded = new Map<string, Promise<Parser>>();
  return (language) => {
    const cached = loaded.get(language);
    if (cached !== undefined) return cached;
    const parser = loadParser(language, path.join(toolFolder(), 'grammars'));
    loaded.set(language, parser);
    return parser;
  };
}

function identities(): AnalysisTools['identity'] {
  const pending = new Map<string, Promise<CompilerIdentity | undefined>>();
  return (compiler) => {
    const key = compiler.join('\0');
    const identity = pending.get(key) ?? identifyCompiler(compiler);
    pending.set(key, identity);
    return identity;
  };
}

/** The compilers run side by side; results are in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array<Result>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(availableParallelism(), items.length)) }, worker),
  );
  return results;
}

async function addStore(store: string, gathered: Gathered): Promise<void> {
  const names = await readdir(path.join(store, 'units'));
  const hashes = names.flatMap((name) => /^([0-9a-f]{16})\.(?:json|text)$/.exec(name)?.[1] ?? []);
  gathered.units.push(...(await readUnits(store, hashes)));
}

async function addProgram(program: string, options: CallGraphOptions, gathered: Gathered): Promise<void> {
  const symbols = await readObjectSymbols(program);
  if (symbols.units.length === 0) {
    throw new KymoError(
      'no-units',
      `${program} was not built by Kymo's compilers, so it names no sources. Give its sources or compile_commands.json instead, or build it with “kymo refine”.`,
      { file: program },
    );
  }
  const wanted = new Set(symbols.units);
  for (const store of await possibleStores(options.workspace)) {
    for (const unit of await readUnits(store, wanted)) {
      gathered.units.push(unit);
      wanted.delete(unit.hash);
    }
    if (wanted.size === 0) break;
  }
  if (wanted.size > 0) {
    gathered.notes.push(
      `${program}: ${wanted.size} of ${symbols.units.length} units are not in any store; build it again`,
    );
  }
  for (const { mangledName, simpleName, file, line, column } of symbols.functions) {
    if (file === undefined || line === undefined) continue;
    gathered.symbols.push({
      mangledName,
      name: simpleName,
      file,
      line,
      ...(column === undefined ? {} : { column }),
    });
  }
}

/** Folders of fragments by the wrappers: from the environment, the targets of the workspace, the cache. */
async function possibleStores(workspace: string): Promise<string[]> {
  const given = process.env.KYMO_STORE;
  const own = path.join(workspace, '.kymo');
  const below = await readdir(own, { recursive: true, withFileTypes: true }).catch(() => []);
  const stores = below.flatMap((entry) =>
    entry.isDirectory() && entry.name === 'units' ? [entry.parentPath] : [],
  );
  return [
    ...(given === undefined || given === '' ? [] : [given]),
    ...stores,
    path.join(cacheFolder(process.env), 'store'),
  ];
}

function summarize(graph: CallGraph): CallGraphSummary {
  let edges = 0;
  let virtualEdges = 0;
  let pointerEdges = 0;
  for (const list of graph.edges) {
    edges += list.length;
    for (const { kind } of list) {
      if (kind === 'virtual') virtualEdges++;
      else if (kind === 'pointer' || kind === 'callback') pointerEdges++;
    }
  }
  const statements = graph.functions.reduce((sum, each) => sum + (each.hasBody ? each.statements : 0), 0);
  return { nodes: graph.functions.length, edges, virtualEdges, pointerEdges, statements };
}
