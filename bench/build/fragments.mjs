// node fragments.mjs BUNDLE STORE: makes the fragments of all texts that a build has stored, as the reader of the call graph does first, and
// prints the seconds, of the clock and of the processor. BUNDLE is src/measurement/build/readUnits.ts as one file, beside wrapper.js and grammars of the tool.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [bundle, store] = process.argv.slice(2);
const { readUnits } = createRequire(import.meta.url)(bundle);
const hashes = textsIn(path.join(store, 'units'));
const used = process.cpuUsage();
const begin = performance.now();
const units = await readUnits(store, hashes);
const seconds = (performance.now() - begin) / 1000;
if (units.length !== hashes.length) throw new Error(`${hashes.length - units.length} texts gave no fragment`);
const { user, system } = process.cpuUsage(used);
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, units: units.length }));

/** A program without C or C++ has no store. */
function textsIn(folder) {
  try {
    return readdirSync(folder).flatMap((name) => /^([0-9a-f]{16})\.text$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
