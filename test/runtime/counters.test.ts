import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseResult, type KymoResult } from '../../src/formats/kymo-result/resultFile';
import { Workbench, type Environment, type Measured } from './harness';

/** The counters of page faults stand in for those of the processor, which this machine may not have: all faults for instructions, minor ones for cache misses. */
const pageFaults = { KYMO_COUNTERS: '1', KYMO_TEST_COUNTERS: 'page-faults' };

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
it('x',()=>{
    const file = bench.compile({ compiler: 'gcc', kind:'entry', flags: ['-O1'] }, 'faults.c');
    for (const w of ['none','threads','fork','_Fork','close','deep']) {
    const m = bench.measureAll(file, 'entry', new Map(), [w], pageFaults);
    console.log(w, m.outcome);
  for (const name of readdirSync(m.folder).filter((file) => file.endsWith('.kymo'))) {
      const r = parseResult(readFileSync(path.join(m.folder, name)), name);
      console.log(r.counters);
      for (const t of r.threads) console.log([...t.slot].map((s,i)=>`${i}<${t.parent[i]} ${m.slots[s]??s} v${t.visits[i]} i=${t.counters.get('instructions')?.[i]} m=${t.counters.get('cacheMisses')?.[i]}`).slice(0,20).join('\n'));
    }}
});
