import { hostname } from 'node:os';
import path from 'node:path';
import { JsonSchema } from '../../core/jsonSchema';
import type { LiveRun } from '../../core/views/liveRun';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';
import { isGone } from '../../measurement/files/processIdentity';

/** In the folder of an experiment whose run is under way: what is known of it now. Rewritten as a whole each second, and removed at the end. */
export const liveFileName = 'live.json';
/** Beside it: whether whoever watches the run wants it to wait. What is to be recorded is in files of its own (`watch/wishes.ts`). */
export const wishFileName = 'live-wish.json';

export interface LiveWish {
  /** Whether the program is to wait at the end of an iteration. */
  readonly suspend: boolean;
}

export async function writeLive(folder: string, live: LiveRun): Promise<void> {
  await writeFileAtomically(path.join(folder, liveFileName), JSON.stringify(live));
}

/** Undefined if there is none, if it is damaged, and if the process that would go on with it was killed. */
export async function readLive(folder: string): Promise<LiveRun | undefined> {
  const live = await readChecked(path.join(folder, liveFileName), liveRuns);
  return live?.host === hostname() && isGone(live.pid) ? undefined : live;
}

/** @throws KymoError `write-failed`, `disk-full`, `results-linked` */
export async function writeWish(folder: string, wish: LiveWish): Promise<void> {
  await writeFileAtomically(path.join(folder, wishFileName), JSON.stringify(wish));
}

/** Undefined if nobody wants anything. */
export async function readWish(folder: string): Promise<LiveWish | undefined> {
  return readChecked(path.join(folder, wishFileName), wishes);
}

async function readChecked<Value>(file: string, schema: JsonSchema<Value>): Promise<Value | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(file));
    return schema.describes(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const text = { type: 'string', maxLength: 4096 } as const;
const amount = { type: 'number', minimum: 0 } as const;

const number = { type: 'number' } as const;

const cost = {
  type: 'object',
  properties: {
    pairSeconds: number,
    spreadSeconds: number,
    insideSeconds: number,
    outsideSeconds: number,
    sampled: {
      type: 'object',
      properties: {
        countedSeconds: number,
        spreadSeconds: number,
        pairSeconds: number,
        insideSeconds: number,
      },
      required: ['countedSeconds', 'spreadSeconds', 'pairSeconds', 'insideSeconds'],
    },
  },
  required: ['pairSeconds', 'spreadSeconds', 'insideSeconds', 'outsideSeconds'],
} as const;

const processSchema = {
  type: 'object',
  properties: {
    pid: amount,
    host: text,
    rank: amount,
    threads: amount,
    cpuSeconds: amount,
    iterations: amount,
    isSuspended: { type: 'boolean' },
    isWatched: { type: 'boolean' },
  },
  required: ['pid', 'host', 'rank', 'threads', 'cpuSeconds', 'iterations', 'isSuspended', 'isWatched'],
} as const;

const clusterSchema = {
  type: 'object',
  properties: {
    ranks: { type: 'string', maxLength: 2 ** 24 },
    processes: amount,
    threads: amount,
    cpuSeconds: amount,
    leastIterations: amount,
    mostIterations: amount,
    suspended: amount,
    ended: amount,
  },
  required: [
    'ranks',
    'processes',
    'threads',
    'cpuSeconds',
    'leastIterations',
    'mostIterations',
    'suspended',
    'ended',
  ],
} as const;

const slowestSchema = {
  type: 'object',
  properties: { rank: amount, iterations: amount, of: amount, ratio: amount },
  required: ['rank', 'iterations', 'of', 'ratio'],
} as const;

const nodeSchema = {
  type: 'object',
  properties: {
    rank: amount,
    parent: amount,
    role: { type: 'string', enum: ['front end', 'inner process', 'agent'] },
    host: text,
    pid: amount,
    state: { type: 'string', enum: ['up', 'awaited', 'lost', 'left'] },
    cpu: amount,
    messagesPerSecond: amount,
    bytesPerSecond: amount,
    memory: amount,
  },
  required: ['rank', 'role', 'host', 'state'],
} as const;

const networkSchema = {
  type: 'object',
  properties: {
    nodes: { type: 'array', items: nodeSchema, maxItems: 1_000_000 },
    notListed: amount,
    failures: { type: 'array', items: text, maxItems: 1000 },
  },
  required: ['nodes', 'failures'],
} as const;

const functionsSchema = {
  type: 'object',
  properties: { count: amount, names: { type: 'array', items: text, maxItems: 100 } },
  required: ['count', 'names'],
} as const;

const recordingSchema = {
  type: 'object',
  properties: {
    functions: amount,
    changes: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        properties: {
          wish: text,
          seconds: amount,
          recorded: functionsSchema,
          leftOut: functionsSchema,
          problems: { type: 'array', items: text, maxItems: 100 },
        },
        required: ['wish', 'seconds', 'recorded', 'leftOut', 'problems'],
      },
    },
  },
  required: ['functions', 'changes'],
} as const;

const liveRuns = new JsonSchema<LiveRun>({
  type: 'object',
  properties: {
    kymoLive: { type: 'number', const: 1 },
    target: text,
    study: text,
    startedAt: text,
    seconds: amount,
    pid: amount,
    host: text,
    state: { type: 'string', enum: ['starting', 'running', 'suspended', 'ending'] },
    processes: { type: 'array', items: processSchema, maxItems: 1_000_000 },
    clusters: { type: 'array', items: clusterSchema, maxItems: 64 },
    cpuSeconds: amount,
    recordingSeconds: amount,
    calibration: { type: 'object', properties: { probe: cost, entry: cost }, required: ['probe', 'entry'] },
    iterations: {
      type: 'object',
      properties: { phase: text, count: amount, written: amount, seconds: amount, slowest: slowestSchema },
      required: ['phase', 'count', 'written'],
    },
    recording: recordingSchema,
    profileSeconds: amount,
    network: networkSchema,
  },
  required: [
    'kymoLive',
    'target',
    'study',
    'startedAt',
    'seconds',
    'pid',
    'host',
    'state',
    'processes',
    'cpuSeconds',
    'recordingSeconds',
    'profileSeconds',
  ],
});

const wishes = new JsonSchema<LiveWish>({
  type: 'object',
  properties: { suspend: { type: 'boolean' } },
  required: ['suspend'],
});
