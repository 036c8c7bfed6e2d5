import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeUnits } from '../../src/core/callgraph/merge/mergeUnits';
import { parseResult } from '../../src/formats/kymo-result/resultFile';
import { addSymbolFunctions } from '../../src/measurement/symbols/addSymbolFunctions';
import { planSelection } from '../../src/measurement/symbols/planSelection';
import { readFunctionSymbols } from '../../src/measurement/symbols/symbolCache';
import { makeSiteMap } from '../../src/measurement/symbols/siteMap';
import { WrapperTrial } from '../workflows/wrappersTool';
import { missingTools, underQemu } from './aarch64Bench';
import { onlyInFull } from '../volume';

const kernel = `
#include <stdio.h>
double last(double);
static double work(const double *a, int n) {
  double s = 0;
  int i;
  for (i = 0; i < n; ++i) s += a[i] * i;
  return s;
}
double step(const double *a, int n, int times) {
  double s = 0;
  int t;
  for (t = 0; t < times; ++t) s += work(a, n);
  return s;
}
int main(void) {
  double a[100], s = 0;
  int i, k;
  for (i = 0; i < 100; ++i) a[i] = i + 1;
  for (k = 0; k < 5; ++k) s += step(a, 100, 7);
  printf("%.1f %.1f\\n", s, last(s));
  return 3;
}
`;
const other = 'double last(double x) { return x + 1; }\n';
const shapes = `
#include <cstdio>
#include <stdexcept>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual double area(int n) const = 0; };
struct Square : Shape {
  double area(int n) const override {
    double total = 0;
    for (int i = 0; i < n; ++i) total += i * 0.5;
    if (n > 7) throw std::length_error("too large");
    return total;
  }
};
template <class T> double everyOne(const std::vector<T> &shapes, int n) {
  double total = 0;
  for (const auto &shape : shapes) total += shape.area(n);
  return total;
}
int main() {
  std::vector<Square> shapes(4);
  double total = 0;
  for (int n = 0; n < 10; ++n) {
    try { total += everyOne(shapes, n); } catch (const std::exception &e) { std::puts(e.what()); }
  }
  std::printf("%.2f\\n", total);
  return 0;
}
`;
const cross = { KYMO_CC: 'aarch64-linux-gnu-gcc', KYMO_CXX: 'aarch64-linux-gnu-g++' };

/** Cross builds with the wrappers, from the source to the visits of each function, with only the tool's own parts in between. */
describe.skipIf(missingTools.length > 0)('a cross build with the wrappers', () => {
  let trial: WrapperTrial;
  beforeAll(() => {
    trial = new WrapperTrial();
  });
  afterAll(() => trial.close());

  async function visits(program: string): Promise<Record<string, number>> {
    const executable = trial.file(program);
    const units = trial.units();
    const cacheDirectory = path.join(trial.base, 'symbols');
    const functions = await readFunctionSymbols(executable, { cacheDirectory });
    const graph = addSymbolFunctions(mergeUnits(units), functions);
    const siteMap = await makeSiteMap({ executable, units, graph, cacheDirectory });
    expect(siteMap.problems).toEqual([]);
    const plan = planSelection(siteMap, siteMap.functions.keys());
    writeFileSync(trial.file('selection'), plan.text);
    const results = trial.file(`results-${program}`);
    mkdirSync(results);

    const [command, ...words] = underQemu(executable, []);
    const plain = trial.run(command, words);
    const measured = trial.run(command, words, {
      KYMO_SELECTION: trial.file('selection'),
      KYMO_RESULTS: results,
    });
    expect(measured).toEqual(plain);
    const [name = ''] = readdirSync(results);
    const result = parseResult(readFileSync(path.join(results, name)), name);
    expect(result.selectionId).toBe(plan.id);
    const counted: Record<string, number> = {};
    for (const thread of result.threads)
      thread.slot.forEach((slot, node) => {
        const key = plan.slots[slot];
        if (key !== undefined) counted[key] = (counted[key] ?? 0) + (thread.visits[node] ?? 0);
      });
    return counted;
  }

  it.each([...onlyInFull(['-O0', '-O2 -static']), '-O2', '-O3 -mbranch-protection=standard', '-O2 -flto'])(
    'C %s',
    async (text) => {
      const options = text.split(' ');
      trial.forget();
      trial.write('kernel.c', kernel);
      trial.write('other.c', other);
      const program = `kernel${options.join('')}`;
      const made = trial.run(trial.wrapper('cc'), [...options, 'kernel.c', 'other.c', '-o', program], cross);
      expect(made).toEqual({ status: 0, stdout: '', stderr: '' });
      const counted = await visits(program);
      expect(counted).toMatchObject({ main: 1, step: 5, work: 35 });
      if (!options.includes('-flto')) expect(counted).toMatchObject({ last: 1 });
    },
  );

  it.each([...onlyInFull(['-O2']), '-O0'])('C++ %s', async (option) => {
    trial.forget();
    trial.write('shapes.cc', shapes);
    const program = `shapes${option}`;
    const made = trial.run(trial.wrapper('cxx'), [option, 'shapes.cc', '-o', program], cross);
    expect(made).toEqual({ status: 0, stdout: '', stderr: '' });
    const counted = Object.entries(await visits(program));
    const of = (name: string): number =>
      counted.filter(([key]) => key.includes(name)).reduce((sum, [, count]) => sum + count, 0);
    expect([of('main'), of('everyOne'), of('area')]).toEqual([1, 10, 8 * 4 + 2]);
  });
});
