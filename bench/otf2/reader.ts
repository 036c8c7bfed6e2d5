// node reader.mjs <traces.otf2> <chunks|merged>: reads all events; prints events, seconds of CPU time, a sum over all events, and the highest memory.
import path from 'node:path';
import { openOtf2 } from '../../src/formats/otf2/open';
import { folderFiles } from '../../src/measurement/files/archiveFiles';

const [file = '', way = 'chunks'] = process.argv.slice(2);
const files = folderFiles(path.dirname(file));
const archive = openOtf2(files, path.basename(file));
const before = process.cpuUsage();
let events = 0;
let sum = 0;
if (way === 'merged')
  archive.merged((_, chunk, index) => {
    events++;
    sum += (chunk.time[index] ?? 0) + (chunk.kind[index] ?? 0);
  });
else
  for (const location of archive.definitions.locations)
    for (const { count, kind, time, first, values } of archive.events(location)) {
      events += count;
      for (let index = 0; index < count; index++)
        sum += (time[index] ?? 0) + (kind[index] ?? 0) + (values[first[index] ?? 0] ?? 0);
    }
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    events,
    seconds: (user + system) / 1e6,
    sum,
    notes: archive.notes().length,
    megabytes: process.resourceUsage().maxRSS / 1000,
  }),
);
files.close();
