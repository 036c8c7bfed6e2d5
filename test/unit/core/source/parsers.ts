import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { analyseUnit, type UnitAnalysis } from '../../../../src/core/source/analyse';

const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
const grammars = { c: 'tree-sitter-c/tree-sitter-c.wasm', 'c++': 'tree-sitter-cpp/tree-sitter-cpp.wasm' };

/** The parser of a language, from the packages that the product ships. */
export async function parserFor(language: 'c' | 'c++'): Promise<Parser> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(path.join(modules, grammars[language]))));
  return parser;
}

/** Analyses text that needs no preprocessing. */
export function analyseText(parser: Parser, text: string, language: 'c' | 'c++'): UnitAnalysis {
  return analyseUnit({ text, language, parser, source: '/w/unit.cc', minimumStatements: 0 });
}
