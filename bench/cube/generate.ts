// `generate.mjs FILE CALL_PATHS LOCATIONS`: a process of its own, whose memory counts for nobody.
import { closeSync, openSync, writeSync } from 'node:fs';
import { standardMetrics } from '../../src/core/profile/metrics';
import type { Metric, Profile, Region } from '../../src/core/profile/profile';
import { cubeChunks } from '../../src/formats/cube4/write';

/** How large a profile is to be. */
interface Size {
  readonly callPaths: number;
  readonly locations: number;
}

const counter = (name: string): Metric => ({
  name,
  displayName: name,
  unit: '#',
  dtype: 'UINT64',
  stored: 'inclusive',
  combine: 'sum',
  description: `Counter ${name}`,
});
const metrics: readonly Metric[] = [
  ...Object.values(standardMetrics),
  counter('PAPI_TOT_INS'),
  counter('PAPI_L2_DCM'),
];

/** Writes a profile of six metrics with values everywhere; one metric is in memory at a time. */
function generate(file: string, size: Size): void {
  const profile = profileOf(size);
  const descriptor = openSync(file, 'w');
  try {
    for (const chunk of cubeChunks(profile)) {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    }
  } finally {
    closeSync(descriptor);
  }
}

function profileOf({ callPaths, locations }: Size): Profile {
  const random = randomNumbers(7);
  const parent = new Int32Array(callPaths).fill(-1);
  const depth = new Uint32Array(callPaths);
  for (let i = 1; i < callPaths; i++) {
    // Pre-order: the parent is the call path before, or one above it.
    let above = i - 1;
    for (let up = random() % 4; up > 0 && (parent[above] ?? -1) >= 0; up--) above = parent[above] ?? 0;
    while ((depth[above] ?? 0) > 30) above = parent[above] ?? 0;
    parent[i] = above;
    depth[i] = (depth[above] ?? 0) + 1;
  }
  const regions = Array.from({ length: Math.ceil(callPaths / 10) }, (_, i): Region => ({
    name: `void solver::Grid<double, ${i}>::update(std::vector<double, std::allocator<double> > const&)`,
    mangledName: `_ZN6solver4GridIdLi${i}EE6updateERKSt6vectorIdSaIdEE`,
    file: `/home/user/solver/src/grid${i % 200}.cpp`,
    firstLine: (i % 500) + 1,
    lastLine: (i % 500) + 40,
    paradigm: 'compiler',
    role: 'function',
  }));
  const columns: Pick<ReadonlyMap<string, Float64Array>, 'get' | 'has'> = {
    has: () => true,
    get: (name) => columnOf(name, parent, locations),
  };
  return {
    attributes: new Map([['Creator', 'bench/cube']]),
    metrics,
    regions,
    callPaths: {
      count: callPaths,
      parent,
      region: Uint32Array.from({ length: callPaths }, () => random() % regions.length),
      fileId: Uint32Array.from({ length: callPaths }, (_, i) => i),
    },
    system: [
      { name: 'machine', kind: 'machine' },
      ...Array.from({ length: locations }, (_, rank) => ({
        name: `MPI Rank ${rank}`,
        kind: 'process',
        parent: 0,
        rank,
      })),
    ],
    locations: Array.from({ length: locations }, (_, rank) => ({
      name: 'Master thread',
      rank,
      thread: 0,
      process: rank + 1,
      kind: 'thread',
    })),
    stored: columns as ReadonlyMap<string, Float64Array>,
  };
}

/** Whole numbers below 2^20, in inclusive metrics summed up the tree. */
function columnOf(name: string, parent: Int32Array, width: number): Float64Array {
  const random = randomNumbers(name.length);
  const isTime = name.includes('time');
  const values = new Float64Array(parent.length * width);
  for (let i = 0; i < values.length; i++)
    values[i] = isTime ? ((random() & 0xfffff) + 1) / 1e6 : (random() & 0xfffff) + 1;
  if (metrics.find((metric) => metric.name === name)?.stored !== 'inclusive') return values;
  for (let i = parent.length - 1; i > 0; i--)
    for (let l = 0, to = (parent[i] ?? 0) * width; l < width; l++, to++)
      values[to] = (values[to] ?? 0) + (values[i * width + l] ?? 0);
  return values;
}

/** xorshift32 (Marsaglia 2003). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const [file = '', callPaths = '', locations = ''] = process.argv.slice(2);
generate(file, { callPaths: Number(callPaths), locations: Number(locations) });
