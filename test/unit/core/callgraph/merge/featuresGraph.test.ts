import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../../src/core/callgraph/callGraph';
import type { FunctionSymbol } from '../../../../../src/core/callgraph/functionSymbol';
import { mergeUnits } from '../../../../../src/core/callgraph/merge/mergeUnits';
import { analyseUnit } from '../../../../../src/core/source/analyse';
import type { CompilerGraph, Unit } from '../../../../../src/core/source/unit';
import { parserFor } from '../../source/parsers';

const fixtures = path.resolve(import.meta.dirname, '../../../../fixtures');
const textOf = (name: string): string => readFileSync(path.join(fixtures, name), 'utf8');

let cpp: Parser;
let c: Parser;
beforeAll(async () => {
  cpp = await parserFor('c++');
  c = await parserFor('c');
});

function unitOf(name: string, language: 'c' | 'c++' = 'c++', compiler?: CompilerGraph): Unit {
  const source = `/src/${path.basename(name)}`;
  const text = `# 1 "${source}"\n${textOf(name)}`;
  const parser = language === 'c' ? c : cpp;
  const { unit } = analyseUnit({ text, language, parser, source, minimumStatements: 3 });
  return { ...unit, hash: path.basename(name), ...(compiler === undefined ? {} : { compiler }) };
}

const gcc = (): CompilerGraph => JSON.parse(textOf('source/features.gcc.json')) as CompilerGraph;
const symbols = (): readonly FunctionSymbol[] =>
  (JSON.parse(textOf('source/features.symbols.json')) as { symbols: FunctionSymbol[] }).symbols;

describe('units with every construct', () => {
  it('have the calls that the compiler recorded, whether or not the places of symbols are known', () => {
    const alpha = unitOf('source/features.c', 'c');
    const units = [alpha, unitOf('source/features.cpp', 'c++', gcc())];
    const edgesOf = ({ functions, edges }: CallGraph): readonly string[] =>
      edges
        .flatMap((list, caller) =>
          list.map(({ callee, kind }) => `${functions[caller]?.key} ${kind} ${functions[callee]?.key}`),
        )
        .sort();
    expect(edgesOf(mergeUnits(units, symbols()))).toEqual(edgesOf(mergeUnits([...units].reverse())));
  });
});
