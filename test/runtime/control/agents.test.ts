import { hostname } from 'node:os';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ControlMessage } from '../../../src/formats/control/messages';
import type { OpenedProcess, ProcessSource } from '../../../src/overlay/agent/processLink';
import type { AgentEvent } from '../../../src/overlay/agent/remoteProcesses';
import { Agents, type AgentsOptions } from '../../../src/workflows/agents/agents';
import { bundleCli, type BundledCli } from '../../bundledCli';
import { Workbench, type Build } from '../harness';
import { mayRename, onHost, sshToPretended, sshToThisHost } from './agentHosts';
import { include, startWatched, token, type WatchedOptions, type WatchedRun } from './watchedRun';

const bench = new Workbench();
const build: Build = { compiler: 'gcc', kind: 'sled', flags: ['-O2', include] };
const file = bench.compile(build, 'watched.c');
const running: Agents[] = [];
let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
  sshToThisHost(bench.path('this'));
});
afterAll(() => cli.remove());
afterEach(async () => {
  for (const agents of running.splice(0)) await agents.close();
  await until(() => agentPids().length === 0, 'no process of the network is left');
});

function agentPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // Not the shells and launchers around it, which have it as a part of a word.
        return words[1] === cli.file && words[2] === 'agent' ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 4000; attempt++) {
    if (await isSo()) return;
    await pause(10);
  }
  throw new Error(`not within a minute: ${what}`);
}

interface Watching {
  readonly agents: Agents;
  readonly events: AgentEvent[];
}

async function watching(
  folder: string,
  { hosts = [hostname()], ...options }: Partial<AgentsOptions> & { readonly hosts?: readonly string[] } = {},
): Promise<Watching> {
  const events: AgentEvent[] = [];
  const agents = await Agents.begin(hosts.length, {
    watched: { folder, token },
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    program: [process.execPath, cli.file],
    ...options,
  });
  running.push(agents);
  await agents.add({ kind: 'ssh', hosts });
  return { agents, events };
}

async function named(source: ProcessSource, count: number): Promise<readonly string[]> {
  await until(async () => (await source.names()).length === count, `${count} processes are found`);
  return [...(await source.names())].sort();
}

interface Opened extends OpenedProcess {
  readonly heard: ControlMessage[];
}

async function opened(source: ProcessSource, name: string): Promise<Opened> {
  const heard: ControlMessage[] = [];
  return { ...(await source.open(name, (message) => void heard.push(message))), heard };
}

const iterationsIn = (heard: readonly ControlMessage[]): readonly number[] =>
  heard.flatMap((message) => (message.kind === 'iteration' ? [message.number] : []));

const start = (words: readonly string[], options: WatchedOptions = {}): WatchedRun =>
  startWatched(bench, file, 'sled', words, { phases: ['step'], ...options });

describe('processes that an agent watches', () => {
  it('answer through the tree as over their sockets, and compute the same', async () => {
    const run = start(['paused', '1500']);
    const { agents, events } = await watching(run.folder);
    expect(events).toMatchObject([{ kind: 'agent-joined' }]);
    const [name = ''] = await named(agents.processes, 1);
    expect(name).toMatch(new RegExp(`\\.${run.child.pid}\\.control$`));
    const { connection, state, heard } = await opened(agents.processes, name);
    expect(state).toMatchObject({ pid: run.child.pid, slotCount: run.slots.length });
    const leaf = run.slots.indexOf('leaf');
    await connection.ask({ kind: 'iterations', on: true });
    const off = await connection.ask({ kind: 'switch', slots: [{ slot: leaf, on: false }] });
    expect(off).toMatchObject({ kind: 'switched', unknownSlots: 0, failedSites: 0 });
    await until(() => iterationsIn(heard).length >= 20, '20 iterations');
    const values = await connection.ask({
      kind: 'counters',
      of: 'functions',
      perThread: false,
      differences: false,
    });
    expect(values.kind).toBe('values');
    await expect(
      connection.ask({ kind: 'switch', slots: [{ slot: 999_999, on: true }] }),
    ).resolves.toMatchObject({ unknownSlots: 1 });
    const { status, output } = await run.ended;
    await connection.over;
    expect(heard.at(-1)).toMatchObject({ kind: 'end' });
    const numbers = iterationsIn(heard);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => (numbers[0] ?? 0) + i));
    expect(numbers.at(-1)).toBe(1500);
    const alone = await start(['paused', '1500'], { environment: { KYMO_CONTROL: '' } }).ended;
    expect({ status, output }).toEqual({ status: 7, output: alone.output });
    await expect(connection.state()).rejects.toMatchObject({ reason: 'process-ended' });
    expect(await agents.processes.names()).toEqual([]);
  });

  it('are found when they begin later, and are not watched with a wrong token', async () => {
    const first = start(['paused', '2000']);
    const { agents } = await watching(first.folder);
    await named(agents.processes, 1);
    const second = start(['paused', '500'], {
      folder: first.folder,
      environment: { KYMO_CONTROL_TOKEN: 'another one' },
    });
    const names = await named(agents.processes, 2);
    const other = names.find((name) => name.endsWith(`.${second.child.pid}.control`)) ?? '';
    await expect(opened(agents.processes, other)).rejects.toMatchObject({ reason: 'not-watchable' });
    expect((await second.ended).status).toBe(7);
    first.child.kill();
    await first.ended;
  });

  it('run on when the agent is killed, and are reported as not watched any more', async () => {
    const run = start(['paused', '1000']);
    const { agents, events } = await watching(run.folder);
    const [name = ''] = await named(agents.processes, 1);
    const { connection } = await opened(agents.processes, name);
    for (const pid of agentPids()) process.kill(pid, 'SIGKILL');
    await connection.over;
    expect(events.at(-1)).toMatchObject({ kind: 'agent-lost', processes: [name] });
    await expect(connection.state()).rejects.toThrow(/agent on .* is gone.*The program runs on/);
    expect(await agents.processes.names()).toEqual([]);
    expect((await run.ended).status).toBe(7);
  });

  it('go on at their own pace when the front end takes nothing: samples are dropped and counted', async () => {
    const run = start(['named', '4000']);
    const { agents } = await watching(run.folder);
    const [name = ''] = await named(agents.processes, 1);
    const { connection, heard } = await opened(agents.processes, name);
    await connection.ask({ kind: 'iterations', on: true });
    connection.pause(true);
    // What was on its way arrives; then nothing is taken until the program has ended, which waits for none of it.
    expect((await run.ended).status).toBe(7);
    const before = iterationsIn(heard).length;
    expect(before).toBeLessThan(4000);
    connection.pause(false);
    await connection.over;
    const numbers = iterationsIn(heard);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers.length).toBeGreaterThan(before);
  });

  it('serve two watchers at the same time, each with agents of its own', async () => {
    const run = start(['paused', '1500']);
    const both = [await watching(run.folder), await watching(run.folder)];
    const processes: Opened[] = [];
    for (const { agents } of both) {
      const [name = ''] = await named(agents.processes, 1);
      const process = await opened(agents.processes, name);
      await process.connection.ask({ kind: 'iterations', on: true });
      processes.push(process);
    }
    for (const { heard } of processes) await until(() => iterationsIn(heard).length >= 5, 'iterations');
    await running.shift()?.close();
    const [, second] = processes;
    const before = iterationsIn(second?.heard ?? []).length;
    await until(() => iterationsIn(second?.heard ?? []).length > before + 5, 'more iterations');
    run.child.kill();
    await run.ended;
  });

  it('N20: run on when the watching ends, and no process of it is left', async () => {
    const run = start(['paused', '3000']);
    const { agents } = await watching(run.folder, { spec: 'b:1x1x1' });
    await named(agents.processes, 1);
    expect(agentPids()).toHaveLength(3);
    await agents.close();
    expect(agentPids()).toEqual([]);
    expect((await run.ended).status).toBe(7);
  });

  it('the token and the invitation are in nobody’s arguments', async () => {
    const run = start(['paused', '500']);
    await watching(run.folder);
    for (const pid of agentPids()) {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      expect(words).not.toContain(token);
      expect(words.split('\0').filter((word) => word !== '')).toEqual([
        process.execPath,
        cli.file,
        ...['agent', '--orders', '-'],
      ]);
    }
    run.child.kill();
    await run.ended;
  });
});

describe.skipIf(!mayRename)('processes on several hosts, which are pretended', () => {
  it('each host has its agent, by a stand-in for ssh; the death of one leaves the others', async () => {
    const hosts = ['node1', 'node2', 'node3'];
    sshToPretended(bench.path('pretended'));
    const folder = bench.path('hosts');
    const runs = hosts.map((host) => {
      const [program, ...words] = onHost(host, [file, 'paused', '2500']);
      return startWatched(bench, file, 'sled', words, { folder, program, phases: ['step'] });
    });
    const { agents, events } = await watching(folder, {
      hosts,
      spec: 'b:2x2',
    });
    expect(agents.network.topology().filter(({ role }) => role === 'inner')).toHaveLength(2);
    const names = await named(agents.processes, 3);
    expect(names.map((name) => name.split('.')[0])).toEqual(hosts);
    const all = await Promise.all(names.map((name) => opened(agents.processes, name)));
    expect(all.map(({ state }) => state.host)).toEqual(hosts);
    const states = await Promise.all(all.map(({ connection }) => connection.state()));
    expect(states.map(({ pid }) => pid)).toEqual(runs.map(({ child }) => child.pid));
    const [victim = 0] = agentPids().filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--orders'),
    );
    process.kill(victim, 'SIGKILL');
    await until(() => events.some(({ kind }) => kind === 'agent-lost'), 'the loss is reported');
    expect(await named(agents.processes, 2)).toHaveLength(2);
    for (const { child, ended } of runs) {
      child.kill();
      await ended;
    }
  });
});
