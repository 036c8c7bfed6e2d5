// A lint rule: folders that import each other, over however many others, are one folder in truth. Reported at each import of the circle.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** @type {Map<string, Map<string, Set<string>>>} root of the tree → folder → folders that it imports */
const graphs = new Map();

const noFolderCycles = {
  meta: { type: 'problem', schema: [], messages: { cycle: '{{way}}: these folders import each other.' } },
  create(context) {
    const top = path.join(context.cwd, 'src');
    const from = path.dirname(context.filename);
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const to = path.dirname(path.resolve(from, specifier));
      const way = to === from ? undefined : wayBetween(graphOf(top), to, from);
      if (way === undefined) return;
      const names = [from, ...way].map((folder) => path.relative(context.cwd, folder));
      context.report({ node, messageId: 'cycle', data: { way: names.join(' → ') } });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

export const house = { rules: { 'no-folder-cycles': noFolderCycles } };

/** Read once for a run of the linter. */
function graphOf(top) {
  const known = graphs.get(top);
  if (known !== undefined) return known;
  const graph = new Map();
  for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const folder = entry.parentPath;
    const text = readFileSync(path.join(folder, entry.name), 'utf8');
    const targets = graph.get(folder) ?? new Set();
    graph.set(folder, targets);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const target = path.dirname(path.resolve(folder, fileName));
      if (fileName.startsWith('.') && target !== folder) targets.add(target);
    }
  }
  graphs.set(top, graph);
  return graph;
}

/** The folders from one to another along imports, both included; undefined: there is no such way. */
function wayBetween(graph, from, to) {
  const before = new Map([[from, undefined]]);
  for (const folder of before.keys()) {
    if (folder === to) {
      const way = [];
      for (let step = folder; step !== undefined; step = before.get(step)) way.unshift(step);
      return way;
    }
    for (const next of graph.get(folder) ?? []) if (!before.has(next)) before.set(next, folder);
  }
  return undefined;
}
