import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { silent } from '../../src/core/progress';
import { reachableFrom } from '../../src/core/callgraph/reachability';
import { readCube } from '../../src/formats/cube4/read';
import { prepare } from '../../src/measurement/backends/kymo/prepare';
import { loadConfig, selectTarget } from '../../src/measurement/config/loadConfig';
import { functionKeyOf } from '../../src/measurement/results/slotRegions';
import { findProgram } from '../../src/measurement/compilers/identityCache';
import { makeCallGraph } from '../../src/workflows/callgraph';
import { measure } from '../../src/workflows/measure';

const root = path.resolve(import.meta.dirname, '../..');
const built = existsSync(path.join(root, 'dist/wrapper.js'));
const compilers = ['g++', 'clang++-19'].filter(
  (name) => findProgram(name, process.env.PATH ?? '') !== undefined,
);

/** Types as people write them; those of one line are overloads of one name. */
const types = [
  [
    'signed char',
    'unsigned char',
    'short',
    'unsigned short',
    'int',
    'unsigned',
    'long',
    'unsigned long',
    'long long',
  ],
  [
    'char signed',
    'char unsigned',
    'short int',
    'short unsigned',
    'signed',
    'unsigned int',
    'long int',
    'long unsigned int',
  ],
  [
    'unsigned long long',
    'std::size_t',
    'std::uint32_t',
    'ptrdiff_t',
    '__int128',
    'unsigned __int128',
    'long double',
    'bool',
  ],
  ['int long', 'int unsigned', 'long long unsigned', 'double long', 'wchar_t', 'char32_t'],
  ['long const', 'const unsigned', 'unsigned const char', 'short volatile'],
];
const forms: readonly (readonly [string, (type: string) => string])[] = [
  ['value', (type) => `${type} x`],
  ['pointer', (type) => `${type} *x`],
  ['reference', (type) => `const std::vector<${type.replace(/const|volatile/, '')}> &x`],
];

interface Sample {
  readonly name: string;
  readonly line: number;
}

/** Each function has a loop and stands on a line of its own. */
function program(): { readonly text: string; readonly samples: readonly Sample[] } {
  const lines = ['#include <cstddef>', '#include <cstdint>', '#include <vector>', 'volatile double sink;'];
  const samples: Sample[] = [];
  const calls: string[] = [];
  types.forEach((overloads, set) => {
    for (const [form, parameter] of forms) {
      for (const type of overloads) {
        const name = `${form}${String(set)}`;
        const body = '{ (void)x; for (int i = 0; i < 9; i++) sink = sink + i; }';
        lines.push(`__attribute__((noinline)) static void ${name}(${parameter(type)}) ${body}`);
        samples.push({ name, line: lines.length });
        calls.push(`  { ${parameter(type).replace('&', '')}{}; ${name}(x); }`);
      }
    }
  });
  return { text: [...lines, 'int main() {', ...calls, '}', ''].join('\n'), samples };
}

describe.skipIf(!built)('functions whose parameters are spelled in any way', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-spellings-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const before = { KYMO_CXX: process.env.KYMO_CXX, CXX: process.env.CXX };
  afterEach(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  it.each(compilers)('%s: each is one node, reachable, and measured', async (compiler) => {
    process.env.KYMO_CXX = compiler;
    process.env.CXX = compiler;
    const workspace = path.join(scratch, compiler);
    mkdirSync(workspace);
    const { text, samples } = program();
    writeFileSync(path.join(workspace, 'main.cc'), text);
    const target = { name: 'all', build: { command: '${cxx} -O1 main.cc -o all' }, executable: 'all' };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const filter = path.join(scratch, 'everything.filter');
    writeFileSync(filter, 'SCOREP_REGION_NAMES_BEGIN\nINCLUDE *\nSCOREP_REGION_NAMES_END\n');
    const { signal } = new AbortController();
    const measured = await measure({ workspace, filter, repetitions: 1, signal });
    const recorded = new Set(
      readCube(readFileSync(measured.profile), measured.profile).regions.map(functionKeyOf),
    );
    const { graph } = await prepare({
      workspace,
      target: selectTarget((await loadConfig(workspace)).config, undefined),
      probes: true,
      minimumStatements: 10,
      environment: {},
      signal,
      progress: silent,
      note: () => undefined,
    });
    const reachable = reachableFrom(graph, graph.entry === undefined ? [] : [graph.entry]);
    const seen = samples.map(({ name, line }) => {
      const nodes = graph.functions.flatMap((f, index) =>
        f.name === name && f.line === line ? [index] : [],
      );
      const [first = -1] = nodes;
      const key = graph.functions[first]?.key ?? '';
      return { line, nodes: nodes.length, reachable: reachable[first] === 1, recorded: recorded.has(key) };
    });
    expect(seen).toEqual(samples.map(({ line }) => ({ line, nodes: 1, reachable: true, recorded: true })));
    // Also from the source alone, where no debug information tells places.
    const alone = await makeCallGraph({
      paths: [path.join(workspace, 'main.cc')],
      workspace,
      signal,
      progress: silent,
    });
    const lines = alone.graph.functions.flatMap(({ line, mangledName }) =>
      line === undefined || mangledName === 'main' ? [] : [line],
    );
    expect(lines.sort((a, b) => a - b)).toEqual(samples.map(({ line }) => line));
    expect(alone.graph.functions.filter(({ mangledName }) => mangledName === undefined)).toEqual([]);
    // Nor is there a second node without a source.
    expect(graph.functions.filter(({ name }) => /^(?:value|pointer|reference)\d\(/.test(name))).toEqual([]);
  });
});
