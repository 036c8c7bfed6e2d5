import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeKernels, visibleKernels, type KernelProgram } from '../visibleKernels';

const root = path.resolve(import.meta.dirname, '../..');
const built = existsSync(path.join(root, 'dist/wrapper.js'));

/** Executed functions with own statements ≥ 10 or a loop are recorded at the optimisation the program is built with (-O3), inlined or not. */
describe.skipIf(!built)('kernels of the examples are visible', () => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'kymo-kernels-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each([
    ['nbody', ['--bodies', '60', '--steps', '3', '--follow', '50']],
    ['stencil', ['100', '5', 'corner']],
  ])('%s', async (name, words) => {
    const sources = path.join(root, 'examples', name);
    const config = parse(readFileSync(path.join(sources, 'kymo.json'), 'utf8')) as {
      readonly targets: readonly [KernelProgram['target']];
    };
    const [target] = config.targets;
    const found = await visibleKernels({
      sources,
      scratch: mkdtempSync(path.join(scratch, `${name}-`)),
      target: { ...target, run: { ...target.run, arguments: words } },
    });
    const said = describeKernels(name, found);
    process.stderr.write(`${said}\n`);
    expect(found.kernels.length).toBeGreaterThan(3);
    const all = found.kernels.length + found.unknown.length;
    expect(found.kernels.filter((k) => k.recorded).length / all, said).toBeGreaterThanOrEqual(0.95);
  });
});
