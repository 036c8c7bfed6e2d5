import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { mpiLayer } from '../../../src/measurement/layers/mpiLayer';
import { programs, Workbench } from '../harness';
import { Watcher } from './client';
import { startWatched, token } from './watchedRun';

const bench = new Workbench();
const here: string[] = [];
for (const name of ['openmpi', 'mpich'])
  if ((await findProgram(`mpirun.${name}`)) !== undefined) here.push(name);

function compile(name: string): string {
  const file = bench.path('mpi');
  execFileSync(`mpicc.${name}`, [
    ...['-g', '-O1', '-fpatchable-function-entry=64,58', '-fno-ipa-ra'],
    ...[path.join(programs, 'mpi/watched.c'), '-o', file, ...bench.runtime('gcc').executable],
  ]);
  return file;
}

describe.each(here)('a job of %s that is watched', (name) => {
  it('says its ranks, communicators and MPI calls, and computes the same', async () => {
    const file = compile(name);
    const layer = await mpiLayer(file, process.env);
    if (layer.kind !== 'layer') throw new Error(JSON.stringify(layer));
    const options = ['-n', '2', ...(name === 'openmpi' ? ['--oversubscribe', '--allow-run-as-root'] : [])];
    const environment = { OMPI_MCA_mpi_yield_when_idle: '1' };
    const run = startWatched(bench, file, 'entry', [...options, file, '500'], {
      program: `/usr/bin/mpirun.${name}`,
      environment: { ...environment, LD_PRELOAD: layer.library },
    });
    const first = await Watcher.open(run.folder, token);
    const watchers = [first, await Watcher.open(run.folder, token, undefined, (await first.state()).pid)];
    const ranks = [];
    for (const watcher of watchers) {
      while (watcher.communicators.length < 2) await watcher.counters('paths');
      const state = await watcher.state();
      ranks.push(state.rank);
      expect(state.ranks).toBe(2);
      expect(
        watcher.communicators.map(({ of, ranks: group, remoteRanks }) => [of, group, remoteRanks]),
      ).toEqual(
        expect.arrayContaining([
          ['world', [0, 1], []],
          ['other', [state.rank], []],
        ]),
      );
      expect(watcher.regions.map((region) => region.name)).toContain('MPI_Allreduce');
    }
    expect(ranks.sort()).toEqual([0, 1]);
    const ended = await run.ended;
    const plain = spawnSync(`mpirun.${name}`, [...options, file, '500'], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
    expect([ended.status, ended.output]).toEqual([plain.status, plain.stdout]);
    for (const watcher of watchers) expect(watcher.mistakes).toEqual([]);
  });
});
