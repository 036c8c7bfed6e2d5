import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ProfileBuilder } from '../profileBuilder';
import type { Profile } from '../../src/core/profile/profile';
import { inclusivePerLocation } from '../../src/core/profile/values';
import { readCube } from '../../src/formats/cube4/read';
import { writeCube } from '../../src/formats/cube4/write';
import { sharedData } from '../shared';

// Checks with the tools of the Cube library that they can read Kymo's files. The tools must be on PATH (Score-P and CubeLib contain them).
const hasTools = ['cube_info', 'cube_dump', 'cube_calltree', 'cube_sanity'].every(
  (tool) => spawnSync(tool, ['-h'], { stdio: 'ignore' }).error === undefined,
);
if (!hasTools)
  process.stderr.write('The Cube tools are not on PATH: what Kymo writes is not checked with them.\n');

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-cube-tools-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(tool: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(tool, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    cwd: folder,
  });
  if (status !== 0)
    throw new Error(`${tool} ${words.join(' ')} ended with ${String(status)}: ${stderr.slice(0, 2000)}`);
  return stdout;
}

/** The output of the tools for a file, without the file's name. */
function reports(file: string, locations: number): Record<string, string> {
  const some = Array.from({ length: Math.min(locations, 16) }, (_, i) => i).join(',');
  const dump = (kind: string): string =>
    run('cube_dump', ['-m', 'all', '-c', 'all', '-t', some, '-z', kind, '-s', 'csv2', file]);
  // The library numbers iterations that Score-P clustered from 0 on; Score-P numbers those that it did not cluster from 1 on.
  const named = (text: string): string =>
    text
      .replaceAll(file, 'FILE')
      .replace(/iteration=(\d+)/g, (_, number: string) => `instance=${Number(number) + 1}`)
      .replace(/ +$/gm, '');
  return {
    info: named(run('cube_info', ['-t', '-v', '-w', file])),
    sanity: named(run('cube_sanity', [file])),
    callTree: named(run('cube_calltree', ['-m', 'visits', '-a', '-i', file])),
    topologies: named(
      run('cube_dump', ['-d', '-m', 'visits', '-c', 'roots', '-t', 'aggr', '-w', 'topologies', file]),
    ),
    stored: dump('stored'),
    inclusive: dump('incl'),
    exclusive: dump('excl'),
  };
}

const shared = sharedData('scorep');
const files = [
  path.resolve(import.meta.dirname, '../fixtures/cube4'),
  ...(shared === undefined ? [] : [shared]),
].flatMap((from) =>
  readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cubex'))
    .map((name) => path.join(from, name)),
);

describe.skipIf(!hasTools)(
  'the Cube tools print the same for the copy that Kymo wrote as for the original',
  () => {
    test.each(files)('%s', (file) => {
      const original = path.join(folder, 'original.cubex');
      const written = path.join(folder, 'written.cubex');
      writeFileSync(original, readFileSync(file));
      const profile = readCube(readFileSync(file), file);
      writeFileSync(written, writeCube(profile));
      expect(reports(written, profile.locations.length)).toEqual(reports(original, profile.locations.length));
    });
  },
);

const kindsOf = (dtype: string): readonly ('exclusive' | 'inclusive')[] =>
  dtype === 'MAXDOUBLE' ? ['exclusive'] : ['exclusive', 'inclusive'];

/** Two processes, three call paths, and a metric of each type that the tools print as one number. */
function ofAllTypes(): Profile {
  const builder = new ProfileBuilder();
  // The tools print 8-bit integers as characters.
  const dtypes = ['DOUBLE', 'UINT64', 'INT64', 'UINT32', 'INT32', 'UINT16', 'INT16', 'MAXDOUBLE'];
  for (const dtype of dtypes)
    for (const stored of kindsOf(dtype))
      builder.metric({
        name: `${dtype}_${stored}`.toLowerCase(),
        displayName: dtype,
        unit: 'occ',
        dtype,
        stored,
        combine: dtype === 'MAXDOUBLE' ? 'maximum' : 'sum',
        description: 'a <b> & "c"',
      });
  const region = builder.region({ name: 'f<int>&', paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region);
  const paths = [main, builder.callPath(main, region), builder.callPath(main, region)];
  for (const rank of [0, 1]) {
    const process = builder.systemNode({ name: `p${rank}`, kind: 'process', rank });
    const location = builder.location({ name: 't', rank, thread: 0, process, kind: 'thread' });
    for (const dtype of dtypes)
      for (const stored of kindsOf(dtype))
        paths.forEach((callPath, i) => {
          builder.set(
            `${dtype}_${stored}`.toLowerCase(),
            callPath,
            location,
            stored === 'inclusive' ? 90 - 40 * Math.sign(i) - i : 10 + i + rank,
          );
        });
  }
  return builder.build();
}

test.skipIf(!hasTools)('the Cube tools read values of all types as Kymo does', () => {
  const file = path.join(folder, 'types.cubex');
  const profile = ofAllTypes();
  writeFileSync(file, writeCube(profile));
  for (const { name } of profile.metrics) {
    const lines = run('cube_dump', ['-m', name, '-c', 'all', '-t', '0,1', '-z', 'incl', '-s', 'csv2', file]);
    const found = lines
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',').at(-1)));
    expect([name, ...found]).toEqual([name, ...inclusivePerLocation(profile, name, 'as-stored')]);
  }
});
