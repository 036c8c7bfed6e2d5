import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser } from 'web-tree-sitter';
import { walkInside } from '../../core/source/cursorSteps';
import { analyseUnit, type UnitAnalysis } from '../../core/source/analyse';

/** Loads the parser of a language; only the grammar that is needed (C's is a fifth of C++'s). */
export async function loadParser(language: 'c' | 'c++', grammars: string): Promise<Parser> {
  // One unit is parsed and the process ends: the optimising compiler would cost more than it gives.
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
