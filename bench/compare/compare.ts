import { alignTraces } from '../../src/core/trace/align/alignTraces';
import { compareTraces } from '../../src/core/trace/views/compareTraces';
import { readTraces } from '../../src/workflows/comparing/traceInputs';

// Seconds of each step for two traces, and the highest memory of the process.
const files = process.argv.slice(2);
const begin = process.hrtime.bigint();
const seconds = (since: bigint): number => Number(process.hrtime.bigint() - since) / 1e9;
const { views, table } = readTraces(files.map((given) => ({ given, name: given, part: {} })));
const reading = seconds(begin);
const [left, right] = views.map(({ traces }) => traces[0]);
if (left === undefined || right === undefined) throw new Error('Give two traces.');
const aligning = process.hrtime.bigint();
alignTraces(left, right);
const alignment = seconds(aligning);
const comparing = process.hrtime.bigint();
const { pairs } = compareTraces(views, table);
console.log(
  JSON.stringify({
    reading,
    alignment,
    comparison: seconds(comparing),
    all: seconds(begin),
    megabytes: process.resourceUsage().maxRSS / 1024,
    rows: [left.size, right.size],
    differences: pairs[0]?.comparison.differences.length,
  }),
);
