import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path'; import os from 'node:os';
import { load } from '../lib/bundle.mjs';
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
const { buildRuntime, readSites, writeSelection, Watcher } = await load('test/runtime/build.ts','test/runtime/selection.ts','test/runtime/control/client.ts');
const runtime = buildRuntime('gcc', path.join(folder, 'gcc'));
const program = path.join(folder,'fixed');
execFileSync('gcc',['-O2','-g','-pthread','-fpatchable-function-entry=5','-fno-ipa-ra','/tmp/fixed.c','-o',program,...runtime.executable]);
let serial=0;
async function run(hz){
  const results = path.join(folder, `r${++serial}`); mkdirSync(results);
  const selection = path.join(folder, `s${serial}`);
  writeSelection(selection, [{ sites: readSites(program), regions: new Map([['main','main']]) }], new Map(), [], ['main']);
  const child = spawn(program, [], { stdio:['pipe','pipe','inherit'], env:{...process.env,KYMO_SELECTION:selection,KYMO_RESULTS:results,KYMO_CONTROL:results,KYMO_CONTROL_TOKEN:'bench'}});
  let out=''; child.stdout.on('data',(b)=>out+=b); const ended=new Promise((r)=>child.on('close',()=>r(out)));
  const w = await Watcher.open(results,'bench',child.pid);
  if (hz) await w.ask({kind:'callStacks',intervalMicroseconds:1e6/hz});
  await ended; const samples=w.inbox.filter((m)=>m.kind==='callStacks');
  return {thread:Number(out.split(' ')[0])/1e9, all:Number(out.split(' ')[1])/1e6, n:samples.length, bytes: samples[3]?.threads[0]?.stack.length};
}
const ratios=[], all=[];
for(let i=0;i<7;i++){ const a=await run(0), b=await run(Number(process.argv[2]??20)); ratios.push(b.thread/a.thread); all.push(b.all/a.all); console.log(a,b); }
ratios.sort((a,b)=>a-b); all.sort((a,b)=>a-b);
console.log('median ratio: thread', ratios[3], 'process', all[3]);
