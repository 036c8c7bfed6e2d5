import { it, expect } from 'vitest';
import { Workbench } from '../harness';
import { startWatched, include } from './watchedRun';
import { setTimeout as pause } from 'node:timers/promises';

it('smoke', async () => {
  const bench = new Workbench();
  const file = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2', include] }, 'watched.c');
  const run = startWatched(bench, file, 'sled', ['paused', '1000'], { phases: ['step'], idle: ['leaf', 'part100'] });
  const w = await run.watch();
  console.log(await w.state());
  console.log(await w.switch([run.slots.indexOf('leaf')], true));
  await w.ask({ kind: 'iterations', on: true });
  await w.ask({ kind: 'stacks', intervalMicroseconds: 100000 });
  await pause(500);
  console.log(w.nodes.length, w.inbox.length);
  const v = await w.counters();
  console.log([...w.visitsBySlot(v)].map(([s, n]) => [run.slots[s], n]).slice(0, 10), v[0].ticks.slice(0, 5), v[0].openTicks.slice(0,5));
  await w.ask({ kind: 'suspend', on: true });
  console.log(await w.nextOf('suspended'), (await w.state()).iterations);
  await w.ask({ kind: 'suspend', on: false });
  console.log(await w.nextOf('end'), w.threads, w.mistakes);
  const e = await run.ended;
  console.log(e);
  console.log(run.results()[0].iterations);
});
