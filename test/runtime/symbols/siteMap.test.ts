import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSelectionFile } from '../../selectionFile';
import { addSymbolFunctions } from '../../../src/measurement/symbols/addSymbolFunctions';
import { findLinkedObjects } from '../../../src/measurement/symbols/linkedObjects';
import { planSelection } from '../../../src/measurement/symbols/planSelection';
import { makeSiteMap } from '../../../src/measurement/symbols/siteMap';
import type { SiteMap } from '../../../src/measurement/symbols/sites';
import { readFunctionSymbols, readObjectSymbols } from '../../../src/measurement/symbols/symbolCache';
import { has, run, scratch, shapes, sites } from './build';
import { graphFunction, key, shapesGraph, shapesUnit, unit } from './shapesGraph';

const folder = scratch();
const cacheDirectory = path.join(folder, 'cache');
const compilers = ['g++', 'clang++-19'].filter(has);
const variants = ['-O0', '-O2', '-O3', '-O3 -gdwarf-4', '-O2 -no-pie', '-O2 -static', '-O3 -flto'] as const;

function build(compiler: string, options: string): string {
  const program = path.join(folder, `shapes ${compiler} ${options}`.replace(/[^\w]+/g, '_'));
  run(compiler, ...sites, ...options.split(' '), '-std=c++17', shapes, '-o', program);
  return program;
}

async function siteMapOf(executable: string): Promise<SiteMap> {
  const graph = addSymbolFunctions(shapesGraph, await readFunctionSymbols(executable, { cacheDirectory }));
  return makeSiteMap({ executable, units: [shapesUnit], graph, cacheDirectory });
}

const kindsOf = (map: SiteMap, name: string): string[] =>
  [...new Set((map.functions.get(key(name)) ?? []).map((s) => s.kind))].sort();

describe.each(compilers)('sites of a program built with %s', (compiler) => {
  it.each(variants.filter((v) => !(compiler === 'clang++-19' && v.includes('lto'))))(
    '%s',
    async (options) => {
      const executable = build(compiler, options);
      const map = await siteMapOf(executable);
      expect(map.problems).toEqual([]);
      expect(map.objects).toHaveLength(1);
      expect(map.objects[0]?.units).toEqual([unit]);
      expect(run('readelf', '-n', executable)).toContain(`Build ID: ${map.objects[0]?.buildId ?? ''}`);
      // A probe survives inlining; a function with a probe does not use its patchable entry.
      for (const name of ['num::sum', 'Shape::area', 'Shape::Shape', 'helper', 'main']) {
        expect([name, kindsOf(map, name)]).toEqual([name, ['in', 'out']]);
      }
      expect(kindsOf(map, 'big')).toEqual(['entry']);
      // The instances of a template are separate functions.
      const instances = new Set((map.functions.get(key('num::sum')) ?? []).map((s) => s.instance));
      expect([...instances].sort()).toEqual([
        '_ZN3num3sumIdEET_RKSt6vectorIS1_SaIS1_EE',
        '_ZN3num3sumIiEET_RKSt6vectorIS1_SaIS1_EE',
      ]);
      expectSledBytes(executable, map);
      expectEntryAddresses(executable, map);
    },
  );
});

/** The first byte of each sled and entry must be that of a NOP: 0x90, or 0x0f or 0x66 of a long NOP. */
function expectSledBytes(executable: string, map: SiteMap): void {
  const text = run('objdump', '-d', '--no-show-raw-insn', executable);
  const instructions = new Map<number, string>();
  for (const line of text.split('\n')) {
    const match = /^\s*([0-9a-f]+):\s+(.*)$/.exec(line);
    if (match?.[1] !== undefined) instructions.set(Number.parseInt(match[1], 16), match[2] ?? '');
  }
  for (const site of [...map.functions.values()].flat()) {
    expect(instructions.get(site.offset), site.offset.toString(16)).toMatch(/nop|xchg +%ax,%ax/);
  }
}

/** Every entry must be at the beginning of a function that `nm` lists, with at most an `endbr64` before it. */
function expectEntryAddresses(executable: string, map: SiteMap): void {
  const starts = new Set(
    run('nm', executable)
      .split('\n')
      .map((line) => Number.parseInt(line.split(' ')[0] ?? '', 16)),
  );
  for (const site of [...map.functions.values()].flat()) {
    if (site.kind === 'entry') expect([site.offset, site.offset - 4].some((a) => starts.has(a))).toBe(true);
  }
}

/** gcc inlines the first line of `work` and calls the rest of it, `work.part.0`; all calls of `add` and `first` are inlined. Nothing calls their own code. */
const splitSource = `int printf(const char *, ...);
int work(const int *values, int n) {
  if (n < 1) return 0;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * 3 + (sum > 1000 ? printf("%d\\n", sum) : 7);
  for (int i = 0; i < n; ++i) sum ^= values[i] << (sum < 0 ? printf("%d %d\\n", sum, i) : 2);
  return sum;
}
int add(const int *values, int n) { int sum = 0; for (int i = 0; i < n; ++i) sum += values[i]; return sum; }
int first(const int *v, int n) { return work(v, n) + 1; }
int second(const int *v, int n) { return work(v, n - 1) + add(v, n); }
int main(int argc, char **argv) { int v[] = {argc, 2, 3, 4}; return first(v, argc) + second(v, argc) == (argv != 0); }
`;

describe.skipIf(!has('gcc'))('functions with code outside of their own symbol', () => {
  it('are recorded where their work is, or marked as having copies that are not recorded', async () => {
    const [source, executable] = ['split.c', 'split'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(source, splitSource);
    run('gcc', ...sites, '-O2', source, '-o', executable);
    const nothing = { functions: [], edges: [] };
    const graph = addSymbolFunctions(nothing, await readFunctionSymbols(executable, { cacheDirectory }));
    const map = await makeSiteMap({ executable, units: [], graph, cacheDirectory });
    const addresses = new Map(
      run('nm', executable)
        .split('\n')
        .map((line) => line.split(' '))
        .map(([address = '', , name = '']) => [name, Number.parseInt(address, 16)]),
    );
    expect(addresses.has('work.part.0')).toBe(true);
    expect(map.functions.get('work')?.map(({ offset }) => offset)).toEqual([addresses.get('work.part.0')]);
    expect(map.functions.get('add')?.map(({ offset }) => offset)).toEqual([addresses.get('add')]);
    expect([...(map.inlinedToo ?? [])].sort()).toEqual(['add', 'first']);
  });
});

describe.skipIf(!compilers.includes('g++'))('symbols', () => {
  it('names the line that addr2line names', async () => {
    const executable = build('g++', '-O0');
    const symbols = await readFunctionSymbols(executable, { cacheDirectory });
    const own = symbols.filter((s) => s.file === shapes && s.address !== undefined);
    expect(own.length).toBeGreaterThan(6);
    for (const { address, line, name } of own) {
      const place = run('addr2line', '-e', executable, `0x${(address ?? 0).toString(16)}`);
      expect([name, `${shapes}:${line ?? 0}`]).toEqual([name, place.trim().replace(/ \(.*/, '')]);
    }
  });

  it('finds every function that nm finds in the objects of the user', async () => {
    for (const options of ['-O0', '-O3']) {
      const executable = build('g++', options);
      const symbols = await readObjectSymbols(executable, { cacheDirectory });
      const known = new Set(symbols.entries.map((e) => symbols.functions[e.function]?.mangledName));
      const patched = run('nm', executable)
        .split('\n')
        .map((l) => /^[0-9a-f]+ [tTwW] (_Z\S*(?:Shape|big|helper|sum)\S*)$/.exec(l)?.[1])
        .filter((n) => n !== undefined && !/\.(?:cold|part)|[CD][01]E/.test(n));
      for (const name of patched) expect(known).toContain(name);
    }
  });

  it('plans the selected functions: one slot each, several for instances of a template', async () => {
    const executable = build('g++', '-O3');
    const map = await siteMapOf(executable);
    const plan = planSelection(map, [key('main'), key('num::sum'), key('tiny'), key('big')]);
    expect(plan.withoutSite).toEqual([key('tiny')]);
    expect(plan.slots).toEqual([key('main'), key('num::sum'), key('num::sum'), key('big')]);
    const instances = plan.instances.map((i) => i?.name.replace(/\(.*/, ''));
    expect([instances[0], instances[3]]).toEqual([undefined, undefined]);
    expect(instances.slice(1, 3).sort()).toEqual(['double num::sum<double>', 'int num::sum<int>']);
    const file = parseSelectionFile(plan.text);
    expect(file.id).toBe(plan.id);
    expect(file.slotCount).toBe(4);
    for (const slot of [0, 1, 2]) {
      const kinds = file.objects[0]?.sites.filter((s) => s.slot === slot).map((s) => s.kind) ?? [];
      expect(kinds).toContain('in');
      expect(kinds).toContain('out');
    }
    expect(planSelection(map, [key('main')]).id).not.toBe(plan.id);
  });

  it('rebuilds a damaged cache, and a stripped copy does not hide known symbols', async () => {
    const executable = build('g++', '-O2');
    const fresh = path.join(folder, 'cache2');
    const first = await readObjectSymbols(executable, { cacheDirectory: fresh });
    const file = path.join(fresh, readdirSync(fresh)[0] ?? '');
    for (const damage of ['', '{"kymoSymbols":1', '{"kymoSymbols":1,"functions":[{}]}', 'null']) {
      writeFileSync(file, damage);
      expect(await readObjectSymbols(executable, { cacheDirectory: fresh })).toEqual(first);
    }
    const stripped = path.join(folder, 'stripped');
    copyFileSync(executable, stripped);
    run('strip', stripped);
    expect((await readObjectSymbols(stripped, { cacheDirectory: fresh })).functions).toEqual(first.functions);
    const alone = await readObjectSymbols(stripped, { cacheDirectory: path.join(folder, 'cache3') });
    expect(alone.problems[0]).toContain('is stripped');
    // Probes need no names, because their records are loaded with the program.
    expect(alone.sleds.length).toBe(first.sleds.length);
    expect(alone.units).toEqual(first.units);
  });

  it('reads compressed debug information, separate sections and unlinked objects', async () => {
    const reference = await readFunctionSymbols(build('g++', '-O2'), { cacheDirectory });
    const places = (symbols: typeof reference): string[] =>
      symbols
        .filter((s) => s.file === shapes)
        .map((s) => `${s.mangledName} ${s.line ?? 0}`)
        .sort();
    for (const options of ['-O2 -gz=zlib', '-O2 -ffunction-sections -Wl,--gc-sections']) {
      expect(places(await readFunctionSymbols(build('g++', options), { cacheDirectory }))).toEqual(
        places(reference),
      );
    }
    const object = path.join(folder, 'shapes.o');
    run('g++', '-g', '-O2', '-fpatchable-function-entry=5', '-std=c++17', '-c', shapes, '-o', object);
    const unlinked = await readObjectSymbols(object, { cacheDirectory });
    expect(places(unlinked.functions)).toEqual(places(reference));
    const linked = await readObjectSymbols(build('g++', '-O2'), { cacheDirectory });
    expect(unlinked.sleds.map((s) => `${s.number} ${s.kind}`).sort()).toEqual(
      linked.sleds.map((s) => `${s.number} ${s.kind}`).sort(),
    );
  });

  it('reports what is missing: no build id, no sites, no program, split debug information', async () => {
    const bare = path.join(folder, 'bare');
    run('g++', '-g', '-Wl,--build-id=none', shapes, '-o', bare);
    await expect(siteMapOf(bare)).rejects.toMatchObject({ reason: 'no-build-id' });
    const plain = path.join(folder, 'plain');
    writeFileSync(path.join(folder, 'plain.c'), 'int main(void) { return 0; }\n');
    run('gcc', '-g', '-Wl,--build-id', path.join(folder, 'plain.c'), '-o', plain);
    expect((await siteMapOf(plain)).problems?.join()).toContain('has no patch points');
    await expect(siteMapOf(path.join(folder, 'nowhere'))).rejects.toMatchObject({
      reason: 'unreadable-executable',
    });
    await expect(siteMapOf(shapes)).rejects.toMatchObject({ reason: 'not-elf' });
    const split = path.join(folder, 'split');
    run('g++', ...sites, '-gsplit-dwarf', '-std=c++17', shapes, '-o', split, '-dumpdir', `${folder}/`);
    expect((await readObjectSymbols(split, { cacheDirectory })).problems.join()).toContain('-gsplit-dwarf');
  });
});

describe.skipIf(!compilers.includes('g++'))('libraries', () => {
  it('finds linked and opened libraries with sites, and maps their functions', async () => {
    const lib = path.join(folder, 'lib with space');
    run('mkdir', '-p', lib);
    const source = (name: string, text: string): string => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    };
    const inLibrary = source('inlib.cpp', 'int inlib(int a) { return a + 1; }\n');
    run('g++', ...sites, '-shared', '-fPIC', inLibrary, '-o', path.join(lib, 'libone.so'));
    run('g++', ...sites, '-shared', '-fPIC', inLibrary, '-DX', '-o', path.join(lib, 'plugin.so'));
    const main = source('uses.cpp', 'int inlib(int); int main() { return inlib(-1); }\n');
    const program = path.join(folder, 'uses');
    run('g++', ...sites, main, '-o', program, `-L${lib}`, '-lone', '-Wl,-rpath,$ORIGIN/lib with space');
    const found = await findLinkedObjects(program, { folders: [folder] });
    expect(found[0]).toBe(program);
    expect(
      found
        .slice(1)
        .map((f) => path.basename(f))
        .sort(),
    ).toEqual(['libone.so', 'plugin.so']);
    expect((await findLinkedObjects(program)).map((f) => path.basename(f))).toEqual(['uses', 'libone.so']);
    const empty = { functions: [], edges: [] };
    const symbols = await Promise.all(found.map((f) => readFunctionSymbols(f, { cacheDirectory })));
    const graph = addSymbolFunctions(empty, symbols.flat());
    const map = await makeSiteMap({ executable: program, units: [], graph, cacheDirectory });
    expect(map.functions.get('_Z5inlibi')).toMatchObject([{ object: 1, kind: 'entry' }]);
  });
});

describe('OpenMP regions', () => {
  it.each(['-gdwarf-5', '-gdwarf-4'])(
    'carry the name of their function, even of one that is inlined away, and the line where they begin (%s)',
    async (debug) => {
      const source = path.join(folder, 'regions.cpp');
      writeFileSync(
        source,
        [
          'static void scale(double *x, int n, double by) {',
          '#pragma omp parallel for',
          '  for (int i = 0; i < n; i++) x[i] *= by;',
          '#pragma omp parallel for',
          '  for (int i = 0; i < n; i++) x[i] += by;',
          '}',
          'int main(int argc, char **) { static double x[100]; scale(x, 100, argc); return x[5] < 0; }',
          '',
        ].join('\n'),
      );
      const program = path.join(folder, `regions${debug}`);
      run('g++', ...sites, debug, '-O2', '-fopenmp', source, '-o', program);
      const scale = { name: 'scale', mangledName: '_ZL5scalePdid', file: source, line: 1 };
      const graph = addSymbolFunctions(
        { functions: [graphFunction('scale', scale)], edges: [[]] },
        await readFunctionSymbols(program, { cacheDirectory }),
      );
      const regions = graph.functions.filter((f) => f.name === 'scale [OpenMP region]');
      expect(regions.map((f) => [f.file, f.line]).sort()).toEqual([
        [source, 2],
        [source, 4],
      ]);
    },
  );
});

describe.skipIf(!has('gfortran'))('Fortran', () => {
  it('adds the procedures to the graph, with module names and lines', async () => {
    const examples = path.resolve(import.meta.dirname, '../../../examples/solver');
    const program = path.join(folder, 'solver');
    const files = ['sparse.f90', 'conjugate.f90', 'main.f90'].map((f) => path.join(examples, f));
    run('gfortran', ...sites, '-O2', `-J${folder}`, ...files, '-o', program);
    const empty = { functions: [], edges: [] };
    const graph = addSymbolFunctions(empty, await readFunctionSymbols(program, { cacheDirectory }));
    const named = new Map(graph.functions.map((f) => [f.name, f]));
    expect(named.get('sparse::apply_laplacian')).toMatchObject({
      key: '__sparse_MOD_apply_laplacian',
      file: path.join(examples, 'sparse.f90'),
      line: 7,
    });
    expect(graph.functions[graph.entry ?? -1]?.mangledName).toBe('MAIN__');
    expect(named.has('main')).toBe(false);
    const map = await makeSiteMap({ executable: program, units: [], graph, cacheDirectory });
    expect(map.problems).toEqual([]);
    expect([...map.functions.keys()].sort()).toEqual(graph.functions.map((f) => f.key).sort());
    expect(addSymbolFunctions(graph, await readFunctionSymbols(program, { cacheDirectory }))).toBe(graph);
  });
});

describe.skipIf(!has('aarch64-linux-gnu-gcc'))('aarch64', () => {
  it.each(['-O0', '-O3', '-O2 -static', '-O2 -fno-pie -no-pie'])('%s', async (options) => {
    const program = path.join(folder, `arm_${options.replace(/\W/g, '')}`);
    const source = path.join(import.meta.dirname, 'kernels.c');
    const flags = ['-g', '-fpatchable-function-entry=2', '-Wl,--build-id=sha1', ...options.split(' ')];
    run('aarch64-linux-gnu-gcc', ...flags, source, '-o', program);
    const kernel = { name: 'kernel', file: source, line: 5, definitions: [[unit, 7]] as const };
    const bare = { functions: [graphFunction('kernel', kernel)], edges: [[]] };
    const graph = addSymbolFunctions(bare, await readFunctionSymbols(program, { cacheDirectory }));
    expect(graph.functions.map((f) => f.key).sort()).toEqual(['kernel', 'main', 'other']);
    const map = await makeSiteMap({ executable: program, units: [shapesUnit], graph, cacheDirectory });
    expect(map.problems).toEqual([]);
    const kinds = (name: string): string[] => (map.functions.get(name) ?? []).map((s) => s.kind).sort();
    expect([...new Set(kinds('kernel'))]).toEqual(['in', 'out']);
    expect(kinds('other')).toEqual(['entry']);
  });
});
