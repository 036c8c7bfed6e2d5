import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser } from 'web-tree-sitter';
import { walkInside } from '../../core/source/syntax/cursorSteps';
import { analyseUnit, type UnitAnalysis } from '../../core/source/analyse';

/** Loads the parser of a language with its grammar only (C's is a fifth of C++'s). */
export async function loadParser(language: 'c' | 'c++', grammars: string): Promise<Parser> {
  // The process parses one unit: the optimising compiler would cost more than it saves.
  setFlagsFromString('--liftoff-only');
  const module = { wasmBinary: readFileSync(path.join(grammars, 'web-tree-sitter.wasm')) };
  await Parser.init(module);
  walkInside(module);
  const grammar = language === 'c' ? 'tree-sitter-c.wasm' : 'tree-sitter-cpp.wasm';
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(path.join(grammars, grammar))));
  return parser;
}

export function analyse(
  parser: Parser,
  text: string,
  language: 'c' | 'c++',
  source: string,
  minimumStatements: number,
): UnitAnalysis {
  return analyseUnit({ text, language, parser, source, directory: process.cwd(), minimumStatements });
}
