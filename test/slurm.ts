import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir, totalmem, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAlive } from './processes';

export interface Slurm {
  /** Settings for all commands of Slurm: the variable SLURM_CONF. */
  readonly conf: string;
  readonly node: string;
  /** Process id of slurmd. */
  nodeDaemon(): number;
  /** Process id of slurmctld. */
  controller(): number;
  /** A line of the command's output for each job, such as `17 RUNNING`. */
  jobs(): readonly string[];
  stop(): Promise<void>;
}

const programs = ['slurmctld', 'slurmd', 'munged'].map((name) => `/usr/sbin/${name}`);

/**
 * A Slurm of one node, with a munge of its own, in a folder of its own. Undefined, with a message, where it cannot run.
 * @param pretended names of nodes; each has this name as its host's, which only root may give. Default: this host
 */
export async function startSlurm(pretended: readonly string[] = []): Promise<Slurm | undefined> {
  const missing = programs.filter((file) => !existsSync(file));
  if (missing.length > 0) {
    skipped(`${missing.join(', ')} are missing`);
    return undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-slurm-test-'));
  try {
    const slurm = await start(folder, pretended);
    process.env.SLURM_CONF = slurm.conf;
    if (await isIdle(slurm)) return slurm;
    await slurm.stop();
    skipped('its node does not become idle');
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    skipped(String(error));
  }
  return undefined;
}

function skipped(why: string): void {
  process.stderr.write(`skipped: tests with Slurm, ${why}\n`);
  return undefined;
}

/** Commands wait so long for a controller that does not answer; Slurm's least. */
const messageSeconds = 2;

async function start(folder: string, pretended: readonly string[]): Promise<Slurm> {
  const in_ = (name: string): string => path.join(folder, name);
  for (const name of ['ctld', 'd', 'log', 'munge']) mkdirSync(in_(name), { mode: 0o755 });
  writeFileSync(in_('munge/key'), Buffer.alloc(1024, 7), { mode: 0o400 });
  const munge = ['socket', 'pid-file', 'log-file', 'seed-file'].map(
    (name) => `--${name}=${in_(`munge/${name}`)}`,
  );
  execFileSync('/usr/sbin/munged', ['--force', `--key-file=${in_('munge/key')}`, ...munge], {
    stdio: 'ignore',
  });
  const node = hostname().split('.')[0] ?? '';
  const nodes = pretended.length === 0 ? [node] : pretended;
  const { username } = userInfo();
  const conf = in_('slurm.conf');
  writeFileSync(
    conf,
    `ClusterName=one
SlurmctldHost=${node}(127.0.0.1)
SlurmUser=${username}
SlurmdUser=${username}
AuthType=auth/munge
AuthInfo=socket=${in_('munge/socket')}
CredType=cred/munge
SlurmctldPort=${await freePort()}
StateSaveLocation=${in_('ctld')}
SlurmdSpoolDir=${in_('d/%n')}
SlurmctldPidFile=${in_('ctld.pid')}
SlurmdPidFile=${in_('%n.pid')}
SlurmctldLogFile=${in_('log/ctld')}
SlurmdLogFile=${in_('log/%n')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MpiDefault=none
KillWait=2
MessageTimeout=${messageSeconds}
${(await Promise.all(nodes.map(nodeLine))).join('\n')}
PartitionName=all Nodes=${nodes.join(',')} Default=YES MaxTime=INFINITE State=UP
`,
  );
  const env = { ...process.env, SLURM_CONF: conf };
  const begin = (program: string): void =>
    void execFileSync(`/usr/sbin/${program}`, ['-f', conf], { env, stdio: 'ignore' });
  const pidIn = (file: string): number => Number(readFileSync(in_(file), 'utf8'));
  const ask = (words: readonly string[]): string =>
    spawnSync(words[0] ?? '', words.slice(1), { env, encoding: 'utf8' }).stdout;
  const stop = async (): Promise<void> => {
    const daemons = [...nodes.map((name) => `${name}.pid`), 'ctld.pid', 'munge/pid-file'].map(pidIn);
    ask(['scancel', '--user', username]);
    ask(['scontrol', 'shutdown']);
    process.kill(daemons.at(-1) ?? 0, 'SIGTERM');
    // They write their last state meanwhile.
    for (let attempt = 0; attempt < 300 && daemons.some(isAlive); attempt++) await sleep(100);
    delete process.env.SLURM_CONF;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  begin('slurmctld');
  for (const name of nodes)
    if (pretended.length === 0) begin('slurmd');
    else
      execFileSync(
        'unshare',
        ['--uts', 'sh', '-c', 'hostname "$0" && exec /usr/sbin/slurmd -N "$0" -f "$1"', name, conf],
        { env, stdio: 'ignore' },
      );
  return {
    conf,
    node,
    nodeDaemon: () => pidIn(`${nodes[0] ?? ''}.pid`),
    controller: () => pidIn('ctld.pid'),
    jobs: () =>
      ask(['squeue', '--noheader', '--states=all', '--sort=i', '--format=%i %T'])
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    stop,
  };
}

async function nodeLine(name: string): Promise<string> {
  const memory = Math.floor(totalmem() / 2 ** 21);
  return `NodeName=${name} NodeAddr=127.0.0.1 Port=${await freePort()} CPUs=2 RealMemory=${memory} State=UNKNOWN`;
}

async function isIdle({ conf }: Slurm): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { stdout } = spawnSync('sinfo', ['--noheader', '--format=%T'], {
      env: { ...process.env, SLURM_CONF: conf },
      encoding: 'utf8',
    });
    if (stdout.trim() === 'idle') return true;
    await sleep(100);
  }
  return false;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
    server.on('error', reject);
  });
}
