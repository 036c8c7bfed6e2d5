// A profile as large as big programs make them, written by the product's own writer.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

/** Writes a Cube profile with `callPaths` call paths of 2,000 functions, `main` on top. */
export async function writeLargeProfile(file, callPaths) {
  const { ProfileBuilder, standardMetrics, writeCube } = await product();
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const regions = Array.from({ length: 2000 }, (_, n) =>
    builder.region({
      name: n === 0 ? 'main' : `ns::Class${n % 97}<std::vector<double> >::method${n}(int)`,
      mangledName: `f${n}`,
      file: '/src/file.cpp',
      firstLine: n + 1,
      paradigm: 'compiler',
      role: 'function',
    }),
  );
  const machine = builder.systemNode({ name: 'machine', kind: 'machine' });
  const node = builder.systemNode({ name: 'node', kind: 'node', parent: machine });
  const owner = builder.systemNode({ name: 'process', kind: 'process', parent: node, rank: 0 });
  const thread = builder.location({ name: 'thread', rank: 0, thread: 0, kind: 'thread', process: owner });
  const paths = [builder.callPath(undefined, regions[0])];
  for (let n = 1; n < callPaths; n++) paths.push(builder.callPath(paths[(n - 1) >> 2], regions[n % 2000]));
  // Inclusive: the four callees leave their caller a ninth.
  const seconds = [1];
  paths.forEach((at, n) => {
    seconds[n] ??= seconds[(n - 1) >> 2] / 4.5;
    builder.set('visits', at, thread, 1 + (n % 100));
    builder.set('time', at, thread, seconds[n]);
  });
  writeFileSync(file, writeCube(builder.build()));
}

/** A small profile of the fixture's functions that was made where the sources lay below `/elsewhere/tiny`. */
export async function writeMovedProfile(file) {
  const { ProfileBuilder, standardMetrics, writeCube } = await product();
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const owner = builder.systemNode({ name: 'process', kind: 'process', rank: 0 });
  const thread = builder.location({ name: 'thread', rank: 0, thread: 0, kind: 'thread', process: owner });
  let above;
  for (const [name, source, seconds] of [
    ['main', 'main.cpp', 1],
    ['many(int)', 'many.cpp', 0.5],
  ]) {
    const region = builder.region({
      name,
      file: `/elsewhere/tiny/${source}`,
      firstLine: 3,
      paradigm: 'compiler',
      role: 'function',
    });
    above = builder.callPath(above, region);
    builder.set('visits', above, thread, 1).set('time', above, thread, seconds);
  }
  writeFileSync(file, writeCube(builder.build()));
}

/** What writes the files of a study. */
export async function product() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ProfileBuilder } from './test/profileBuilder';
        export { standardMetrics } from './src/core/profile/metrics';
        export { writeCube } from './src/formats/cube4/write';
        export { writeSources } from './src/workflows/studies/sources';`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
