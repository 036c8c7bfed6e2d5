// node bench/diagnosis/run.mjs [load|deepStart]
// The search in virtual time (specification §8.3–8.5): what the code of the front end, of processes between and of agents takes of a real processor per second of the
// program, by strategy and number of processes; and Deep Start beside the call-graph search on four shapes of applications.
import { load } from '../lib/bundle.mjs';

const { VirtualRun, su3Like } = await load(
  'test/unit/core/diagnosis/virtual/virtualRun.ts',
  'test/unit/core/diagnosis/virtual/shapes.ts',
);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const seconds = { 'front end': 0, inner: 0, agent: 0 };
const timed = (who, work) => {
  const before = cpu();
  try {
    return work();
  } finally {
    seconds[who] += cpu() - before;
  }
};
for (const processes of (process.argv[2] ?? '16').split(','))
for (const strategy of (process.argv[3]??'centralised,partially distributed,truly distributed').split(',')) {
  for (const who in seconds) seconds[who] = 0;
  const run = new VirtualRun({ spec: su3Like(Number(processes)), strategy, timed, longest: 600 });
  const before = cpu();
  const done = run.run();
  console.log(processes, strategy, done, run.time, cpu() - before, seconds, run.sent, run.sentBytes, run.received, run.largestCost, run.frontEnd.folded.entries.size);
}
