import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { fittingMpirun } from '../../../src/measurement/launch/mpirun/fittingMpirun';
import { Agents, type AgentWay } from '../../../src/workflows/agents/agents';
import { bundleCli, type BundledCli } from '../../bundledCli';
import { startSlurm } from '../../slurm';
import { programs, Workbench, type Build } from '../harness';
import { sshToThisHost } from './agentHosts';
import { include, startWatched, token } from './watchedRun';

const bench = new Workbench();
const build: Build = { compiler: 'gcc', kind: 'sled', flags: ['-O2', include] };
let cli: BundledCli;
beforeAll(async () => void (cli = await bundleCli()));
afterAll(() => cli.remove());

/** Starts agents, and asks each process that they find for its state. @returns their ranks; nothing of the agents is left */
async function ranksBy(
  way: AgentWay,
  folder: string,
  count: number,
  program: readonly [string, ...string[]] = [process.execPath, cli.file],
): Promise<readonly number[]> {
  const agents = await Agents.begin(way.hosts.length, {
    watched: { folder, token },
    signal: new AbortController().signal,
    onEvent: () => undefined,
    program,
  });
  try {
    await agents.add(way);
    for (let attempt = 0; (await agents.processes.names()).length < count && attempt < 4000; attempt++)
      await pause(10);
    const names = await agents.processes.names();
    const states = await Promise.all(
      names.map(async (name) => {
        const { connection } = await agents.processes.open(name, () => undefined);
        return connection.state();
      }),
    );
    return states.map(({ rank }) => rank).sort();
  } finally {
    await agents.close();
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    expect(running.filter((words) => words.includes(cli.file) && !words.startsWith('ps '))).toEqual([]);
  }
}

function mpiProgram(name: string): string {
  const file = bench.path('mpi');
  execFileSync(`mpicc.${name}`, [
    ...['-g', '-O1', '-fpatchable-function-entry=64,58', '-fno-ipa-ra'],
    ...[path.join(programs, 'mpi/watched.c'), '-o', file, ...bench.runtime('gcc').executable],
  ]);
  return file;
}

const installed: ('openmpi' | 'mpich')[] = [];
for (const name of ['openmpi', 'mpich'] as const)
  if ((await findProgram(`mpirun.${name}`)) !== undefined) installed.push(name);

describe('agents beside a job', () => {
  it.each(installed)('are started by mpirun of %s', async (name) => {
    process.env.OMPI_ALLOW_RUN_AS_ROOT = '1';
    process.env.OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = '1';
    const file = mpiProgram(name);
    const family = name === 'openmpi' ? 'open-mpi' : 'hydra';
    const mpirun = await fittingMpirun({ family, library: '', usesPmix: false });
    if (mpirun === undefined) throw new Error(`there is no mpirun of ${name}`);
    const options = ['-n', '2', ...(name === 'openmpi' ? ['--oversubscribe'] : [])];
    const run = startWatched(bench, file, 'entry', [...options, file, '3000'], {
      program: mpirun.path,
      environment: { OMPI_MCA_mpi_yield_when_idle: '1' },
    });
    expect(await ranksBy({ kind: 'mpirun', mpirun, hosts: ['localhost'] }, run.folder, 2)).toEqual([0, 1]);
    expect((await run.ended).status).toBe(0);
  });

  it('say why they did not come', async () => {
    const folder = bench.path('nothing');
    mkdirSync(folder, { recursive: true });
    sshToThisHost(bench.path('this'));
    const failing = ranksBy({ kind: 'ssh', hosts: ['here'] }, folder, 1, ['/bin/false']);
    await expect(failing).rejects.toMatchObject({
      reason: 'agents-failed',
      message: expect.stringMatching(/1 of 1 did not come: ssh ended with status 1/) as string,
    });
  });
});

const sshd = '/usr/sbin/sshd';
describe.skipIf(!existsSync(sshd))('agents on plain hosts', () => {
  let server: ChildProcess | undefined;
  afterAll(() => void server?.kill());

  it('are started by ssh, with their orders on standard input', async () => {
    const folder = bench.path('ssh');
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const inFolder = (name: string): string => path.join(folder, name);
    for (const name of ['host', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder(name)]);
    writeFileSync(inFolder('authorized'), readFileSync(inFolder('user.pub')), { mode: 0o600 });
    const port = await freePort();
    writeFileSync(
      inFolder('sshd_config'),
      [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${inFolder('host')}`,
        `AuthorizedKeysFile ${inFolder('authorized')}`,
        'StrictModes no',
        'PermitRootLogin yes',
        'UsePAM no',
        'PidFile none',
      ].join('\n'),
    );
    mkdirSync('/run/sshd', { recursive: true });
    server = spawn(sshd, ['-D', '-e', '-f', inFolder('sshd_config')], { stdio: 'ignore' });
    process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
    const client = inFolder('ssh');
    const options = `-p ${port} -i '${inFolder('user')}' -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectionAttempts=20`;
    writeFileSync(client, `#!/bin/sh\nexec /usr/bin/ssh ${options} "$@"\n`);
    chmodSync(client, 0o700);
    const file = bench.compile(build, 'watched.c');
    const run = startWatched(bench, file, 'sled', ['paused', '3000']);
    expect(await ranksBy({ kind: 'ssh', hosts: ['localhost'] }, run.folder, 1)).toEqual([0]);
    run.child.kill();
    await run.ended;
  });
});

const slurm = await startSlurm();
afterAll(() => slurm?.stop());
describe.skipIf(slurm === undefined)('agents in a job of Slurm', () => {
  it('are a step that shares the node with the program, which has all its processors', async () => {
    const file = bench.compile(build, 'watched.c');
    const words = ['--ntasks=1', '--cpus-per-task=2', '--quiet', file, 'paused', '3000'];
    const run = startWatched(bench, file, 'sled', words, { program: '/usr/bin/srun' });
    let job = '';
    for (let attempt = 0; job === '' && attempt < 3000; attempt++) {
      job = /^(\d+) RUNNING$/m.exec(slurm?.jobs().join('\n') ?? '')?.[1] ?? '';
      await pause(20);
    }
    expect(await ranksBy({ kind: 'srun', job, hosts: [hostname()] }, run.folder, 1)).toEqual([0]);
    run.child.kill();
    await run.ended;
  });

  it(`refuses what is no job, and names of hosts that would be options (${hostname()} is one)`, async () => {
    const folder = bench.path('nothing');
    mkdirSync(folder, { recursive: true });
    await expect(ranksBy({ kind: 'srun', job: '1 --uid=0', hosts: ['a'] }, folder, 1)).rejects.toThrow(
      /no number/,
    );
    await expect(ranksBy({ kind: 'ssh', hosts: ['-oProxyCommand=x'] }, folder, 1)).rejects.toThrow(
      /no name of a host/,
    );
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
