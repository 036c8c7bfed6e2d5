import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { afterAll, expect, it } from 'vitest';
import { cursorSteps, walkInside } from '../../../../../src/core/source/syntax/cursorSteps';

const grammar = path.resolve(
  import.meta.dirname,
  '../../../../../node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm',
);
afterAll(() => {
  walkInside({});
});

it('a walk inside of the WebAssembly module sees what the public cursor sees', async () => {
  const module = {};
  await Parser.init(module);
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(grammar)));
  const tree = parser.parse('struct S { int f(double é) { return g(1, 2; } }; // end\nvoid h(');
  if (tree === null) throw new Error('no tree');
  const walk = (): unknown[] => {
    const steps = cursorSteps(tree);
    const nodes: unknown[] = [];
    const visit = (depth: number): void => {
      nodes.push([depth, steps.kind(), steps.start(), steps.end(), steps.field(), steps.isMissing()]);
      if (!steps.toFirstChild()) return;
      do visit(depth + 1);
      while (steps.toNextSibling());
      steps.toParent();
    };
    visit(0);
    steps.delete();
    return nodes;
  };
  const outside = walk();
  walkInside(module);
  expect(walk()).toEqual(outside);
  expect(outside.length).toBeGreaterThan(30);
  expect(outside.some((node) => (node as boolean[])[5])).toBe(true);
  // A module of another make is ignored.
  walkInside({ _ts_tree_cursor_current_node_type_id_wasm: () => 0 });
  expect(walk()).toEqual(outside);
});
