import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FunctionSymbol } from '../../core/callgraph/functionSymbol';
import type { CompilerGraph } from '../../core/source/unit';
import { parseGccCgraph } from '../../formats/gcc-cgraph/parse';
import { irOptions, oldestClang } from '../../formats/llvm-ir/irOptions';
import { LlvmIrReader } from '../../formats/llvm-ir/parse';
import { readFunctionSymbols } from '../../measurement/symbols/symbolCache';
import type { CompilerIdentity } from '../../measurement/compilers/compilerIdentity';

export interface CompilerQuestion {
  readonly identity: CompilerIdentity | undefined;
  /** The compiler's options from the unit's command, without those that select outputs, and `-O0`. */
  readonly options: readonly string[];
  /** The language and the preprocessed text, as arguments. */
  readonly input: readonly string[];
  /** Folder for the compiler's output. */
  readonly scratch: string;
  /** Runs the unit's compiler. */
  readonly run: (argumentList: readonly string[]) => Promise<unknown>;
}

export interface CompilerAnswer {
  readonly graph?: CompilerGraph;
  readonly symbols: readonly FunctionSymbol[];
}

/**
 * The calls before optimisation as the compiler knows them: gcc and clang report all of them; with an older clang, debug information
 * has at least the mangled names.
 */
export async function askCompiler(question: CompilerQuestion): Promise<CompilerAnswer> {
  const { identity } = question;
  if (identity?.family === 'gcc') return askGcc(question);
  if (identity?.family !== 'clang') return { symbols: [] };
  return Number.parseInt(identity.version, 10) >= oldestClang ? askClang(question) : askSymbols(question);
}

async function askGcc({ options, input, scratch, run }: CompilerQuestion): Promise<CompilerAnswer> {
  const dump = path.join(scratch, 'cgraph');
  const output = ['-g0', '-S', `-fdump-ipa-cgraph=${dump}`, '-o', path.join(scratch, 'unit.s')];
  await run([...options, ...output, ...input]);
  const text = await readFile(dump, 'latin1').catch(() => undefined);
  return { symbols: [], ...(text === undefined ? {} : { graph: parseGccCgraph(text) }) };
}

async function askClang(question: CompilerQuestion): Promise<CompilerAnswer> {
  const { options, input, scratch, run } = question;
  const file = path.join(scratch, 'unit.ll');
  await run([...options, ...irOptions, '-o', file, ...input]);
  const graph = await readIr(file).catch(() => undefined);
  // Compilers based on clang may take other options.
  if (graph === undefined || graph.functions.length === 0) return askSymbols(question);
  return { graph, symbols: [] };
}

async function readIr(file: string): Promise<CompilerGraph> {
  const reader = new LlvmIrReader();
  const pieces = createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 });
  for await (const piece of pieces) reader.add(String(piece));
  return reader.finish();
}

async function askSymbols({ options, input, scratch, run }: CompilerQuestion): Promise<CompilerAnswer> {
  const object = path.join(scratch, 'unit.o');
  await run([...options, '-g', '-gno-split-dwarf', '-c', '-o', object, ...input]);
  const functions = await readFunctionSymbols(object).catch(() => []);
  return {
    symbols: functions.flatMap(({ mangledName, name, simpleName, file, line, column }) =>
      file === undefined || line === undefined
        ? []
        : [
            {
              mangledName,
              prettyName: name,
              name: simpleName,
              file,
              line,
              ...(column === undefined ? {} : { column }),
            },
          ],
    ),
  };
}
