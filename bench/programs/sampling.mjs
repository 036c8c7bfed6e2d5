// What an independent profiler says of the vanilla build: `perf` with call graphs unwound by debug information.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const { linkedAddress, readInlineChains, readSegments, readStacks, sampledProfile } = await load(
  'bench/programs/perfScript.ts',
);

/** The software clock works in virtual machines, too; kernel time counts for the functions that asked for it. */
const event = ['-e', 'cpu-clock', '-F', '2999'];

export function canSample() {
  return spawnSync('perf', ['record', '-q', ...event, '-o', '/dev/null', 'true']).status === 0;
}

/** @param stackBytes how much of the stack is kept with each sample; what lies deeper has no callers */
export function sampleProgram({ command, tree }, folder, stackBytes = 16_384) {
  const data = path.join(folder, 'perf.data');
  const graph = ['--call-graph', `dwarf,${stackBytes}`];
  const recorded = spawnSync(
    'bash',
    [
      '-c',
      'exec perf record -q "$@" <"$KYMO_BENCH_INPUT" >/dev/null',
      'bash',
      ...event,
      ...graph,
      '-o',
      data,
      ...command.words,
    ],
    {
      cwd: command.cwd,
      env: { ...process.env, ...command.environment, KYMO_BENCH_INPUT: command.input },
      encoding: 'utf8',
    },
  );
  if (!command.statuses.includes(recorded.status))
    throw new Error(`perf record ended with ${recorded.status}: ${recorded.stderr.slice(-1000)}`);
  const script = output('perf', ['script', '-i', data, '--no-inline', '-F', 'comm,tid,ip,sym,dso']);
  rmSync(data);
  return sampledProfile(script, functionNames(script, tree));
}

/** The functions at each place of the program's own files; system libraries have none. */
function functionNames(script, tree) {
  const offsets = new Map();
  for (const frame of readStacks(script).stacks.flat()) {
    if (!frame.object.startsWith(`${tree}/`)) continue;
    offsets.set(frame.object, (offsets.get(frame.object) ?? new Set()).add(frame.offset));
  }
  const names = new Map();
  for (const [object, places] of offsets) {
    const segments = readSegments(output('readelf', ['-lW', object]));
    const addresses = new Map([...places].map((offset) => [offset, linkedAddress(segments, offset)]));
    const input = [...addresses.values()].map((address) => `0x${address.toString(16)}\n`).join('');
    const chains = readInlineChains(output('addr2line', ['-a', '-f', '-i', '-e', object], input));
    names.set(
      object,
      new Map([...addresses].map(([offset, address]) => [offset, chains.get(address) ?? []])),
    );
  }
  return ({ object, offset }) => names.get(object)?.get(offset) ?? [];
}

function output(program, words, input = '') {
  const run = spawnSync(program, words, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status}: ${run.stderr.slice(-1000)}`);
  return run.stdout;
}
