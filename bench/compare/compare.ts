import { compareTraces } from '../../src/core/trace/views/compareTraces';
import { readTraces } from '../../src/workflows/comparing/traceInputs';

// Seconds of each step for two traces, and the highest memory of the process.
const files = process.argv.slice(2);
const begin = process.hrtime.bigint();
const seconds = (since: bigint): number => Number(process.hrtime.bigint() - since) / 1e9;
const { views, table } = readTraces(files.map((given) => ({ given, name: given, part: {} })));
const reading = seconds(begin);
const comparing = process.hrtime.bigint();
const { pairs } = compareTraces(views, table);
console.log(
  JSON.stringify({
    reading,
    comparison: seconds(comparing),
    all: seconds(begin),
    megabytes: process.resourceUsage().maxRSS / 1024,
    rows: views.map(({ traces }) => traces[0]?.read().size),
    differences: pairs[0]?.comparison.differences.length,
  }),
);
