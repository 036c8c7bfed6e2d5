import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { CallGraph, CallGraphFunction } from '../../src/core/callgraph/callGraph';
import { silent } from '../../src/core/progress';
import { findProgram } from '../../src/measurement/compilers/identityCache';
import { makeCallGraph } from '../../src/workflows/callgraph';
import { sharedData } from '../shared';

const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-test-callgraph-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
afterEach(() => {
  delete process.env.CC;
  delete process.env.CXX;
  delete process.env.OMPI_CC;
  delete process.env.OMPI_CXX;
});

async function graphOf(...paths: string[]): Promise<CallGraph> {
  const made = await makeCallGraph({
    paths,
    workspace: scratch,
    signal: new AbortController().signal,
    progress: silent,
  });
  expect(made.notes).toEqual([]);
  return made.graph;
}

const mangled = (each: CallGraphFunction | undefined): string => each?.mangledName ?? each?.key ?? '';

/** Edges between the user's functions by mangled names. */
function userEdges(graph: CallGraph): Map<string, string> {
  const edges = new Map<string, string>();
  for (const [caller, list] of graph.edges.entries()) {
    for (const { callee, kind } of list) {
      const [from, to] = [graph.functions[caller], graph.functions[callee]];
      if (from?.isSystem === false && to?.isSystem === false)
        edges.set(`${mangled(from)} ${mangled(to)}`, kind);
    }
  }
  return edges;
}

type Pairs = [string, string, number?][];
const read = (file: string | undefined): unknown => JSON.parse(readFileSync(file ?? '', 'utf8'));

const zoo = sharedData('callgraph/zoo');
const has = (program: string): boolean => findProgram(program, process.env.PATH ?? '') !== undefined;

const clang = ['clang-19', 'clang-18', 'clang-17', 'clang-16', 'clang-15', 'clang'].find(has);

/** Sources in a folder of their own, so that nothing is written beside the reference data. */
function zooSources(name: string): string {
  const folder = path.join(scratch, name);
  for (const file of ['zoo.h', 'a.cc', 'b.cc', 'c.c'])
    cpSync(path.join(zoo ?? '', file), path.join(folder, file));
  return folder;
}

describe.skipIf(zoo === undefined)('the zoo of hard cases', () => {
  it.skipIf(!has('g++'))('gcc: every executed edge is there, and nine that were not executed', async () => {
    process.env.CC = 'gcc';
    process.env.CXX = 'g++';
    const edges = userEdges(await graphOf(zooSources('gcc')));
    const truth = (read(path.join(zoo ?? '', 'truth.json')) as Pairs).map(([from, to]) => `${from} ${to}`);
    expect(truth.filter((edge) => !edges.has(edge))).toEqual([]);
    expect([...edges.keys()].filter((edge) => !truth.includes(edge)).length).toBeLessThanOrEqual(9);
  });

  /** The reference has gcc's names for what no source names: lambdas and static initialisation. */
  const clangNames: Readonly<Record<string, string>> = {
    _ZZ4mainENKUldE_clEd: '_ZZ4mainENK3$_0clEd',
    _Z5applyIZ4mainEUldE_EdT_d: '_Z5applyIZ4mainE3$_0EdT_d',
    _GLOBAL__sub_I__Z2ovi: '_GLOBAL__sub_I_a.cc',
    _Z41__static_initialization_and_destruction_0ii: '__cxx_global_var_init',
  };

  it.skipIf(clang === undefined)('clang: every executed edge is there, and nine that were not', async () => {
    process.env.CC = clang;
    process.env.CXX = clang?.replace('clang', 'clang++');
    const graph = await graphOf(zooSources('clang'));
    const edges = userEdges(graph);
    const named = (name: string): string => clangNames[name] ?? name;
    const truth = (read(path.join(zoo ?? '', 'truth.json')) as Pairs).map(
      ([from, to]) => `${named(from)} ${named(to)}`,
    );
    expect(truth.filter((edge) => !edges.has(edge))).toEqual([]);
    expect([...edges.keys()].filter((edge) => !truth.includes(edge)).length).toBeLessThanOrEqual(9);
    // Each function of the sources is there once, under the name that the executable has.
    const nameless = graph.functions.filter((f) => f.definitions.length > 0 && f.mangledName === undefined);
    expect(nameless).toEqual([]);
  });
});

/** A program with MetaCG's graph and the edges that a run has executed. */
interface Reference {
  readonly functions: ReadonlyMap<
    string,
    { readonly statements: number; readonly callees: ReadonlySet<string> }
  >;
  readonly executed: Pairs;
}

function reference(name: string): Reference {
  const graph = (read(sharedData(`callgraph/${name}.mcg`)) as { _CG: Record<string, McgNode> })._CG;
  const own = Object.entries(graph).filter(
    ([, { hasBody, meta }]) => hasBody && meta?.fileProperties.origin.startsWith('/src/') === true,
  );
  const functions = new Map(
    own.map(([key, { meta, callees }]) => [
      key,
      { statements: meta?.numStatements ?? 0, callees: new Set(callees) },
    ]),
  );
  const executed = (read(sharedData(`callgraph/${name}_dyn_edges.json`)) as Pairs).filter(
    ([from, to]) => functions.has(from) && functions.has(to),
  );
  return { functions, executed };
}

interface McgNode {
  readonly hasBody: boolean;
  readonly callees: string[];
  readonly meta: {
    readonly numStatements: number;
    readonly fileProperties: { readonly origin: string };
  } | null;
}

function compare(
  graph: CallGraph,
  { functions, executed }: Reference,
): { missing: string[]; spurious: string[]; wrongStatements: string[]; compared: number } {
  const edges = userEdges(graph);
  const missing = executed.map(([from, to]) => `${from} ${to}`).filter((edge) => !edges.has(edge));
  const spurious = [...edges].flatMap(([edge, kind]) => {
    const [from = '', to = ''] = edge.split(' ');
    const known = functions.get(from);
    return kind === 'direct' && known !== undefined && functions.has(to) && !known.callees.has(to)
      ? [edge]
      : [];
  });
  const shared = graph.functions.filter(
    (each) => each.hasBody && each.file !== undefined && functions.has(mangled(each)),
  );
  const wrongStatements = shared
    .filter((each) => each.statements !== functions.get(mangled(each))?.statements)
    .map((each) => `${mangled(each)}: ${each.statements}`);
  return { missing, spurious, wrongStatements, compared: shared.length };
}

function program(
  variable: string,
  sources: (folder: string) => string[],
  options: readonly string[],
): string | undefined {
  const folder = process.env[variable];
  if (folder === undefined || !existsSync(folder)) {
    process.stderr.write(`skipped: ${variable} does not name a folder with the program's sources\n`);
    return undefined;
  }
  const commands = sources(folder).map((file) => ({
    directory: path.dirname(file),
    file,
    arguments: [
      file.endsWith('.c') ? 'mpicc' : 'mpicxx',
      ...options,
      ...(/\/(?:test|utilities)\//.test(file) ? ['-DHYPRE_TIMING'] : []),
      '-c',
      file,
    ],
  }));
  const database = path.join(scratch, `${variable}.json`);
  writeFileSync(database, JSON.stringify(commands));
  return database;
}

const below = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => path.join(folder, file));

const lulesh = program('KYMO_LULESH', (folder) => below(folder, '.cc'), ['-DUSE_MPI=1', '-O3']);
describe.skipIf(lulesh === undefined).each([
  ['gcc', 'gcc', 'g++'],
  ['clang', clang, clang?.replace('clang', 'clang++')],
])('LULESH 2.0.3 with %s', (_, cc, cxx) => {
  it.skipIf(cc === undefined)(
    'has all executed edges (403 direct, 26 through pointers), none too many, and exact statements',
    async () => {
      process.env.OMPI_CC = cc;
      process.env.OMPI_CXX = cxx;
      const graph = await graphOf(lulesh ?? '');
      const truth = reference('lulesh');
      expect(truth.executed).toHaveLength(429);
      const { missing, spurious, wrongStatements, compared } = compare(graph, truth);
      expect({ missing, spurious, wrongStatements }).toEqual({
        missing: [],
        spurious: [],
        wrongStatements: [],
      });
      expect(compared).toBeGreaterThanOrEqual(173);
    },
  );
});

const parts = ['utilities', 'struct_mv', 'sstruct_mv', 'parcsr_mv', 'seq_mv', 'parcsr_ls', 'krylov', 'IJ_mv'];
const amg = program(
  'KYMO_AMG2013',
  (folder) => [...parts, 'test'].flatMap((part) => below(path.join(folder, part), '.c')),
  [
    '-DTIMER_USE_MPI',
    '-DHYPRE_LONG_LONG',
    '-DHYPRE_NO_GLOBAL_PARTITION',
    '-std=gnu89',
    '-I..',
    '-I.',
    ...parts.map((part) => `-I../${part}`),
  ],
);
describe.skipIf(amg === undefined)('AMG2013 with gcc', () => {
  it('has all executed edges (441 direct, 38 through pointers) and exact statements', async () => {
    const graph = await graphOf(amg ?? '');
    const truth = reference('amg2013');
    expect(truth.executed).toHaveLength(479);
    const { missing, spurious, wrongStatements, compared } = compare(graph, truth);
    expect({ missing, spurious, wrongStatements }).toEqual({
      missing: [],
      spurious: [],
      wrongStatements: [],
    });
    expect(compared).toBe(1131);
  });
});

describe('what cannot be analysed', () => {
  it.each([
    ['nothing-here', 'There is no file or folder'],
    ['text.txt', 'is neither a C or C++ source'],
    ['broken.json', 'is not a compilation database'],
    ['list.json', 'entry 0 has neither'],
    ['missing.json', 'cannot be started'],
    ['error.json', 'cannot preprocess it'],
    ['empty', 'No C or C++ source could be analysed'],
  ])('%s is said', async (name, message) => {
    const folder = mkdtempSync(path.join(scratch, 'bad-'));
    const file = path.join(folder, name);
    writeFileSync(path.join(folder, 'bad.c'), '#error not today\n');
    const entry = (compiler: string): string =>
      JSON.stringify([{ directory: folder, file: 'bad.c', arguments: [compiler, '-c', 'bad.c'] }]);
    const contents: Record<string, string> = {
      'text.txt': 'hello',
      'broken.json': '{',
      'list.json': '[{"file":"a.c"}]',
      'missing.json': entry('no-such-compiler'),
      'error.json': entry('cc'),
    };
    if (contents[name] !== undefined) writeFileSync(file, contents[name]);
    const given = name === 'empty' ? mkdtempSync(path.join(scratch, 'empty-')) : file;
    await expect(
      makeCallGraph({
        paths: [given],
        workspace: folder,
        signal: new AbortController().signal,
        progress: silent,
      }),
    ).rejects.toThrow(message);
  });
});
