import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../../src/core/callgraph/callGraph';
import type { FunctionSymbol } from '../../../../../src/core/callgraph/functionSymbol';
import { mergeUnits } from '../../../../../src/core/callgraph/merge/mergeUnits';
import { analyseUnit } from '../../../../../src/core/source/analyse';
import type { CompilerGraph, Unit } from '../../../../../src/core/source/unit';
import { parseLlvmIr } from '../../../formats/llvm-ir/parseText';
import { resultLines } from '../../../resultText';
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

function graphText({ functions, edges, entry }: CallGraph): string {
  const nameOf = (position: number): string => functions[position]?.key ?? '';
  return resultLines([
    { entry },
    ...functions.map(({ overrides, ...facts }, position) => ({
      ...facts,
      overrides: overrides.map(nameOf),
      calls: (edges[position] ?? []).map(({ callee, kind }) => `${kind} ${nameOf(callee)}`),
    })),
  ]);
}

const gcc = (): CompilerGraph => JSON.parse(textOf('source/features.gcc.json')) as CompilerGraph;
const symbols = (): readonly FunctionSymbol[] =>
  (JSON.parse(textOf('source/features.symbols.json')) as { symbols: FunctionSymbol[] }).symbols;

/**
 * The files beside this one have whole results. A change of the analysis that is wanted changes them (`npx vitest run -u`): the difference of
 * the files then shows which functions and calls of a program it concerns.
 */
describe('the units with every construct', () => {
  it.each([
    ['features.cpp', 'c++'],
    ['features.c', 'c'],
  ] as const)('%s: functions, calls, addresses, classes', async (name, language) => {
    const { functions, classes, addressTaken, ...others } = unitOf(`source/${name}`, language);
    const text = resultLines([others, ...classes, ...addressTaken, ...functions]);
    await expect(text).toMatchFileSnapshot(`results/${name}.unit.txt`);
  });

  it('have a graph from names alone, from the compiler, and from symbols', async () => {
    const alpha = unitOf('source/features.c', 'c');
    const named = mergeUnits([unitOf('source/features.cpp'), alpha]);
    await expect(graphText(named)).toMatchFileSnapshot('results/names.txt');
    const compiled = mergeUnits([unitOf('source/features.cpp', 'c++', gcc()), alpha]);
    await expect(graphText(compiled)).toMatchFileSnapshot('results/compiler.txt');
    const located = mergeUnits([unitOf('source/features.cpp'), alpha], symbols());
    await expect(graphText(located)).toMatchFileSnapshot('results/symbols.txt');
    const both = mergeUnits([alpha, unitOf('source/features.cpp', 'c++', gcc())], symbols());
    const edgesOf = ({ functions, edges }: CallGraph): readonly string[] =>
      edges
        .flatMap((list, caller) =>
          list.map(({ callee, kind }) => `${functions[caller]?.key} ${kind} ${functions[callee]?.key}`),
        )
        .sort();
    expect(edgesOf(both)).toEqual(edgesOf(compiled));
  });

  it('have the same calls as clang sees them', async () => {
    const classes = unitOf('llvm-ir/classes.cpp', 'c++', parseLlvmIr(textOf('llvm-ir/classes.ll')));
    const openmp = unitOf('llvm-ir/openmp.c', 'c', parseLlvmIr(textOf('llvm-ir/openmp.ll')));
    await expect(graphText(mergeUnits([classes, openmp]))).toMatchFileSnapshot('results/clang.txt');
  });
});
