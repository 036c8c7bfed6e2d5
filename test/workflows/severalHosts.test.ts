import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/formats/byteSource';
import { readCube } from '../../src/formats/cube4/read';
import type { Profile } from '../../src/core/profile/profile';
import { openIterations } from '../../src/formats/kymo-iterations/read';
import { findProgram } from '../../src/measurement/launch/findProgram';
import type { LiveRun } from '../../src/core/views/liveRun';
import { measure, type MeasureOptions, type MeasureResult } from '../../src/workflows/measure';
import { runsUnderWay, suspendRun, type RunUnderWay } from '../../src/workflows/watch';
import type { SearchRecord } from '../../src/core/diagnosis/search/searchRecord';
import { usualWish } from '../../src/workflows/diagnosing/live/diagnosisWish';
import { searchOf } from '../../src/workflows/diagnosing/live/searchedRun';
import { changeNamed } from '../../src/workflows/watch/changeRecording';
import { liveText } from '../../src/cli/terminal/liveText';
import { mayRename } from '../runtime/control/agentHosts';
import { secureShell } from '../pretendedHosts';
import { startSlurm } from '../slurm';

/** Rank 0 decides when it is time to stop, so that the output depends on nothing else. */
const source = `#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static double work(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) static double solve(double x) { return work(x, 100000); }
__attribute__((noinline)) static double step(double x) { double all; usleep(2000); x = solve(x); MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return all / 4; }
int main(int argc, char **argv) {
  int rank, stop = 0;
  double x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; !stop; i++) {
    x = step(x);
    stop = access("stop", F_OK) == 0;
    MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (stop && rank == 0) printf("steps %d\\n", i + 1);
  }
  MPI_Finalize();
  return 0;
}
`;

/** Options by which each MPI starts a process on each of two hosts, by a stand-in for ssh. */
const launchers = {
  mpich: {
    arguments: ['-hosts', 'node1,node2', '-ppn', '1'],
    environment: (ssh: string) => ({ HYDRA_LAUNCHER: 'ssh', HYDRA_LAUNCHER_EXEC: ssh }),
  },
  openmpi: {
    arguments: ['--host', 'node1,node2'],
    environment: (ssh: string) => ({ OMPI_MCA_plm_rsh_agent: ssh, OMPI_MCA_mpi_yield_when_idle: '1' }),
  },
} as const;
const installed: (keyof typeof launchers)[] = [];
for (const name of ['mpich', 'openmpi'] as const)
  if (mayRename && (await findProgram(`mpirun.${name}`)) !== undefined) installed.push(name);

let workspace = '';
const originalPath = process.env.PATH;
afterEach(() => {
  process.env.PATH = originalPath;
  rmSync(workspace, { recursive: true, force: true });
});

function prepare(mpi: string, run: (ssh: string) => object): void {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo-hosts-'));
  writeFileSync(path.join(workspace, 'main.c'), source);
  writeFileSync(path.join(workspace, 'all.txt'), 'solve\n');
  const build = { command: `KYMO_CC=mpicc.${mpi} \${cc} -O2 -g -o program main.c` };
  const targets = [
    {
      name: 'it',
      build,
      executable: 'program',
      phase: 'step',
      run: { timeoutSeconds: 600, ...run(secureShell(workspace)) },
    },
  ];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
}

const run = (options: Partial<MeasureOptions> = {}): Promise<MeasureResult> =>
  measure({
    workspace,
    watched: true,
    signal: new AbortController().signal,
    filter: path.join(workspace, 'all.txt'),
    ...options,
  });

async function until(measuring: Promise<unknown>, isSo: (live: LiveRun) => boolean): Promise<RunUnderWay> {
  let [last, over]: unknown[] = [undefined, undefined];
  measuring.then(
    (result) => (over = result),
    (error: unknown) => (over = error),
  );
  for (let attempt = 0; attempt < 1200 && over === undefined; attempt++) {
    const [found] = await runsUnderWay(workspace);
    if (found !== undefined && isSo(found.live)) return found;
    last = found?.live ?? last;
    await pause(100);
  }
  throw new Error(`not seen: ${over instanceof Error ? over.message : JSON.stringify(over ?? last)}`);
}

const watchedHosts = ({ processes }: LiveRun): readonly string[] =>
  processes.filter(({ isWatched }) => isWatched).map(({ host }) => host);
const agentsOf = ({ network }: LiveRun): readonly string[] =>
  (network?.nodes ?? [])
    .filter(({ role, state }) => role === 'agent' && state === 'up')
    .map(({ host }) => host);

/** Processes of agents, as this machine sees them. */
function agentPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[1] === path.resolve('dist/cli.js') && words[2] === 'agent' ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}

async function stop(
  measuring: Promise<MeasureResult>,
  { folder }: RunUnderWay,
  processes = 2,
): Promise<MeasureResult> {
  writeFileSync(path.join(workspace, 'stop'), '');
  const result = await measuring;
  expect(agentPids()).toEqual([]);
  const output = readFileSync(path.join(folder, 'output.txt'), 'utf8');
  expect(output).toMatch(/^steps \d+\n$/);
  const { regions, locations } = readCube(readFileSync(result.profile), result.profile);
  expect(locations).toHaveLength(processes);
  expect(regions.map(({ name }) => name)).toContain('solve');
  expect(result.iterations?.count).toBe(Number(output.split(' ')[1]));
  return result;
}

/** Of a region, by location. */
function visitsOf({ regions, callPaths, locations, stored }: Profile, name: string): readonly number[] {
  const sums = locations.map(() => 0);
  callPaths.region.forEach((region, path) => {
    if (regions[region]?.name !== name) return;
    sums.forEach((sum, i) => {
      sums[i] = sum + (stored.get('visits')?.[path * locations.length + i] ?? 0);
    });
  });
  return sums;
}

describe.each(installed)('a run of %s on two hosts', (mpi) => {
  const begin = (): Promise<MeasureResult> => {
    const { arguments: words, environment } = launchers[mpi];
    prepare(mpi, (ssh) => ({
      launcher: { kind: 'mpirun', ranks: 2, arguments: words },
      environment: environment(ssh),
    }));
    return run();
  };

  it('is watched by an agent on each, which a killed one comes back as, and has the result of any run', async () => {
    const measuring = begin();
    const both = await until(
      measuring,
      (live) => (live.iterations?.count ?? 0) > 20 && agentsOf(live).length === 2,
    );
    expect(watchedHosts(both.live)).toEqual(['node1', 'node2']);
    const reported = await until(
      measuring,
      ({ network }) => network?.nodes.every(({ cpu }) => cpu !== undefined) === true,
    );
    const agents = reported.live.network?.nodes.filter(({ role }) => role === 'agent') ?? [];
    expect(agents.map(({ pid }) => pid).sort()).toEqual([...agentPids()].sort());
    expect(liveText(reported, workspace)).toMatch(/agent \d+ +\d+ +node1:\d+ +up/);

    process.kill(agents[1]?.pid ?? 0, 'SIGKILL');
    await until(measuring, ({ network }) => network?.nodes.some(({ state }) => state === 'lost') === true);
    // A process that is out of sight follows when it is back.
    const { change } = await changeNamed(both.folder, { record: ['work'], leave: [] });
    expect(change).toMatchObject({ recorded: { names: ['work'] }, problems: [] });
    const again = await until(
      measuring,
      (live) => agentsOf(live).length === 2 && watchedHosts(live).length === 2,
    );
    expect(again.live.processes).toHaveLength(2);
    expect(again.live.network?.failures.join()).toMatch(
      /agent on node2 was lost.*one process.*Another one is started/,
    );
    // No iteration that was shown lacks the process that was out of sight.
    const taken = again.live.iterations?.count ?? 0;
    await until(measuring, ({ iterations }) => (iterations?.written ?? 0) > taken + 20);
    const file = path.join(again.folder, 'iterations.kymo');
    const opened = openIterations(bytesSource(readFileSync(file)), file);
    for (const { count, contexts } of opened.samples()) {
      const places = [...contexts.slice(0, count)].map(
        (context) => opened.directory.contexts[context]?.location,
      );
      expect(new Set(places).size).toBe(2);
    }
    const { notes, profile: cube } = await stop(measuring, again);
    expect(notes.join('\n')).toMatch(/agent on node2 was lost/);
    expect(notes.join('\n')).toMatch(/work was recorded from .* on, for .* % of the run/);
    expect(visitsOf(readCube(readFileSync(cube), cube), 'work').every((visits) => visits > 20)).toBe(true);
  });
});

describe.skipIf(!installed.includes('mpich'))('a search in a run on two hosts', () => {
  const isTrueAt = ({ nodes }: SearchRecord, host: string, code: string): boolean =>
    nodes.some(
      ({ truth, hypothesis, focus }) =>
        truth === 'true' &&
        hypothesis === 'CPUBound' &&
        focus.Machine[0] === host &&
        focus.Code.at(-1) === code,
    );

  it.each(['partially distributed', 'truly distributed'] as const)(
    'is made by an agent on each (%s); what a lost one found stays, and is marked',
    async (strategy) => {
      // Agents that ssh starts are lost one by one.
      const { arguments: words, environment } = launchers.mpich;
      const command = ['mpirun.mpich', ...words, '-n', '2', '${program}'];
      prepare('mpich', (ssh) => ({
        launcher: { kind: 'template', ranks: 2, command },
        environment: environment(ssh),
      }));
      const bin = path.join(workspace, 'bin');
      mkdirSync(bin);
      secureShell(bin);
      process.env.PATH = `${bin}:${originalPath ?? ''}`;
      const measuring = run({
        diagnose: { ...usualWish, strategy, concludeAfter: 1, thresholds: { CPUBound: 0.02 } },
      });
      const { folder } = await until(measuring, (live) => agentsOf(live).length === 2);
      const searched = async (isSo: (record: SearchRecord) => boolean): Promise<SearchRecord> => {
        for (;;) {
          const record = await searchOf(folder);
          if (record !== undefined && isSo(record)) return record;
          await until(measuring, () => true);
          await pause(200);
        }
      };
      const both = await searched((record) =>
        ['node1', 'node2'].every((host) => isTrueAt(record, host, 'solve')),
      );
      expect(both).toMatchObject({
        strategy,
        clock: 'wall',
        state: expect.stringMatching(/searching|steady/) as string,
      });
      expect(both.program?.threads.map(({ rank }) => rank)).toEqual([0, 1]);
      expect(both.nodes.some(({ focus }) => focus.Machine.length === 0)).toBe(
        strategy === 'partially distributed',
      );

      const { live } = await until(measuring, ({ network }) =>
        (network?.nodes ?? []).every(({ pid }) => pid !== undefined),
      );
      const second = live.network?.nodes.find(({ host, role }) => role === 'agent' && host === 'node2');
      process.kill(second?.pid ?? 0, 'SIGKILL');
      const lost = await searched(({ nodes }) => nodes.some(({ stale }) => stale === true));
      const staleHosts = lost.nodes
        .filter(({ stale }) => stale === true)
        .map(({ focus }) => focus.Machine[0]);
      expect(new Set(staleHosts)).toEqual(new Set(['node2']));
      expect(isTrueAt(lost, 'node1', 'solve')).toBe(true);
      writeFileSync(path.join(workspace, 'stop'), '');
      await measuring;
      expect((await searchOf(folder))?.state).toBe('ended');
      expect(agentPids()).toEqual([]);
    },
  );
});

describe.skipIf(!installed.includes('mpich'))('a run that a site’s own launcher starts on two hosts', () => {
  let agentShell = '';
  const begin = (): Promise<MeasureResult> => {
    const { arguments: words, environment } = launchers.mpich;
    const command = ['mpirun.mpich', ...words, '-n', '2', '${program}'];
    prepare('mpich', (ssh) => ({
      launcher: { kind: 'template', ranks: 2, command },
      environment: environment(ssh),
    }));
    const folder = path.join(workspace, 'bin');
    mkdirSync(folder);
    agentShell = secureShell(folder);
    process.env.PATH = `${folder}:${originalPath ?? ''}`;
    return run();
  };

  it('is watched by agents that ssh starts; of one that stands still nothing is waited for', async () => {
    const measuring = begin();
    const both = await until(
      measuring,
      (live) => agentsOf(live).length === 2 && watchedHosts(live).length === 2,
    );
    const { network } = await until(measuring, (live) =>
      (live.network?.nodes ?? []).every(({ pid }) => pid !== undefined),
    ).then(({ live }) => live);
    const stopped = network?.nodes.find(({ host, role }) => role === 'agent' && host === 'node2')?.pid ?? 0;
    process.kill(stopped, 'SIGSTOP');
    // What is known of the others goes on, and the end of the program is the end of the watching.
    const { live } = await until(measuring, ({ seconds }) => seconds > both.live.seconds + 3);
    await until(measuring, ({ seconds }) => seconds > live.seconds + 3);
    writeFileSync(path.join(workspace, 'stop'), '');
    await measuring;
    expect(agentPids()).toEqual([]);
    expect(readFileSync(path.join(both.folder, 'output.txt'), 'utf8')).toMatch(/^steps \d+\n$/);
  });

  it('is watched as far as agents can be started, and says where they cannot', async () => {
    const measuring = begin();
    const shell = readFileSync(agentShell, 'utf8');
    writeFileSync(agentShell, shell.replace('exec', '[ "$1" = node1 ] || exit 255\nexec'));
    const one = await until(measuring, (live) => watchedHosts(live).length === 1 && live.profileSeconds > 0);
    expect(watchedHosts(one.live)).toEqual(['node1']);
    writeFileSync(path.join(workspace, 'stop'), '');
    const { notes } = await measuring;
    expect(notes.join('\n')).toMatch(/processes on node2 are not watched\..*ssh ended with status 255/);
    expect(readFileSync(path.join(one.folder, 'output.txt'), 'utf8')).toMatch(/^steps \d+\n$/);
  });

  it('runs as any other when no host can be reached, and says so while it runs', async () => {
    const measuring = begin();
    writeFileSync(agentShell, '#!/bin/sh\nexit 255\n');
    const none = await until(measuring, ({ network }) => network?.failures.length === 2);
    expect(none.live.processes).toEqual([]);
    expect(liveText(none, workspace)).toMatch(/processes on node[12] are not watched/);
    await stop(measuring, none);
  });
});

describe.skipIf(!installed.includes('mpich'))('a reduced run of four processes on two hosts', () => {
  const begin = (): Promise<MeasureResult> => {
    const { environment } = launchers.mpich;
    prepare('mpich', (ssh) => ({
      launcher: { kind: 'mpirun', ranks: 4, arguments: ['-hosts', 'node1,node2', '-ppn', '2'] },
      environment: environment(ssh),
    }));
    return run({ reduce: true });
  };
  const count = ({ clusters = [] }: LiveRun): number =>
    clusters.reduce((sum, { processes }) => sum + processes, 0);
  const visitsOf = (file: string, name: string): number => {
    const { regions, callPaths, stored, locations } = readCube(readFileSync(file), file);
    const values = stored.get('visits') ?? [];
    let sum = 0;
    values.forEach((value, cell) => {
      const region = callPaths.region[Math.floor(cell / locations.length)] ?? 0;
      if (regions[region]?.name === name) sum += value;
    });
    return sum;
  };

  it('is known as sums over ranks that do alike, which grow to those of its result', async () => {
    const measuring = begin();
    const { live, folder } = await until(
      measuring,
      (now) => count(now) === 4 && now.profileSeconds > 0 && agentsOf(now).length === 2,
    );
    expect(live.processes).toEqual([]);
    expect(live.clusters?.length).toBeLessThanOrEqual(4);
    expect(liveText({ live, folder } as RunUnderWay, workspace)).toMatch(
      /4 processes, reduced to sums over .*\n {2}ranks? 0.*CPU time/,
    );
    const profile = path.join(folder, 'profile.cubex');
    const soFar = readCube(readFileSync(profile), profile);
    expect(soFar.attributes.get('kymo::summedProcesses')).toBe('4');
    const visits = visitsOf(profile, 'solve');
    await until(measuring, ({ profileSeconds }) => profileSeconds > live.profileSeconds);
    expect(visitsOf(profile, 'solve')).toBeGreaterThan(visits);

    await suspendRun(folder, true);
    // Those that were asked within a later iteration wait for the others in MPI.
    const suspended = await until(measuring, ({ clusters = [] }) =>
      clusters.some((own) => own.suspended > 0),
    );
    const at = suspended.live.seconds + 3;
    const still = await until(measuring, ({ profileSeconds }) => profileSeconds > at);
    const iterations = still.live.clusters?.map(({ leastIterations }) => leastIterations) ?? [];
    const least = 4 * Math.min(...iterations);
    expect(visitsOf(profile, 'solve')).toBeGreaterThanOrEqual(least);
    expect(visitsOf(profile, 'solve')).toBeLessThanOrEqual(least + 2 * 4);
    await suspendRun(folder, false);
    const result = await stop(measuring, still, 4);
    expect(visitsOf(result.profile, 'solve')).toBeGreaterThanOrEqual(least);
  });

  /** Of each iteration: sums of visits and seconds over all locations by region, with how many locations have the phase. */
  const iterationsIn = (
    file: string,
  ): readonly ReadonlyMap<string, readonly [visits: number, seconds: number]>[] => {
    const opened = openIterations(bytesSource(readFileSync(file)), file);
    const { directory } = opened;
    // Each sample is there until the next one.
    return Array.from(opened.samples(), ({ count: length, contexts, visits, seconds }) => {
      const sums = new Map<string, readonly [number, number]>();
      for (let i = 0; i < length; i++) {
        const { region = 0 } = directory.contexts[contexts[i] ?? 0] ?? {};
        const name = directory.regions[region]?.name ?? '';
        const [before, secondsBefore] = sums.get(name) ?? [0, 0];
        sums.set(name, [before + (visits[i] ?? 0), secondsBefore + (seconds[i] ?? 0)]);
      }
      return sums;
    });
  };

  it('has iterations that are the sums of those in its result', async () => {
    const measuring = begin();
    const { folder } = await until(measuring, ({ iterations }) => (iterations?.written ?? 0) > 100);
    const file = path.join(folder, 'iterations.kymo');
    const soFar = iterationsIn(file);
    const { directory } = openIterations(bytesSource(readFileSync(file)), file);
    expect(directory.phase).toBe('step');
    expect(directory.notes.join('\n')).toMatch(/sums over all 4 processes/);
    const before = Number(/The first (\d+) iterations/.exec(directory.notes.join('\n'))?.[1] ?? 0);
    const { iterations } = await stop(measuring, { folder } as RunUnderWay, 4);
    const all = iterationsIn(iterations?.file ?? '');
    const [shown, expected] = [soFar, all.slice(before, before + soFar.length)].map((list) => ({
      visits: list.map((sums) => Object.fromEntries([...sums].map(([name, [visits]]) => [name, visits]))),
      // Visits of solve are only counted, and their times estimated by what is known so far.
      seconds: list.reduce((sum, sums) => sum + (sums.get('step')?.[1] ?? 0), 0),
    }));
    expect(shown?.visits).toEqual(expected?.visits);
    expect(shown?.visits[7]).toMatchObject({ step: 4, solve: 4 });
    expect((shown?.seconds ?? 0) / (expected?.seconds ?? 1)).toBeCloseTo(1, 1);
  });

  it('has those of a killed agent again when it is replaced', async () => {
    const measuring = begin();
    await until(measuring, (live) => count(live) === 4 && agentsOf(live).length === 2);
    const { live } = await until(measuring, ({ network }) =>
      (network?.nodes ?? []).every(({ pid }) => pid !== undefined),
    );
    const agent = live.network?.nodes.find(({ role }) => role === 'agent');
    process.kill(agent?.pid ?? 0, 'SIGKILL');
    const lost = await until(measuring, ({ network }) => (network?.failures.length ?? 0) > 0);
    expect(lost.live.network?.failures.join()).toMatch(/with it the sight of all processes on that host/);
    const again = await until(measuring, (now) => agentsOf(now).length === 2 && count(now) === 4);
    await stop(measuring, again, 4);
  });
});

const canBatch = installed.includes('mpich');
const slurm = canBatch ? await startSlurm(['node1', 'node2']) : undefined;
afterAll(() => slurm?.stop());

describe.skipIf(slurm === undefined)('a run in a batch job of two nodes', () => {
  it('is watched by a step of the job with an agent on each node', async () => {
    const words = ['--nodes=2', '--ntasks-per-node=1', '--time=9'];
    prepare('mpich', () => ({ launcher: { kind: 'slurm', ranks: 2, arguments: words } }));
    const measuring = run();
    const both = await until(
      measuring,
      (live) => (live.iterations?.count ?? 0) > 20 && agentsOf(live).length === 2,
    );
    expect(watchedHosts(both.live)).toEqual(['node1', 'node2']);
    await stop(measuring, both);
  });
});
