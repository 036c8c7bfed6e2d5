import path from 'node:path';
import Ajv from 'ajv';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';

/** In the folder of an experiment whose run is under way: what is known of it now. Rewritten as a whole each second, and removed at the end. */
export const liveFileName = 'live.json';
/** Beside it: what whoever watches the run wants. */
const wishFileName = 'live-wish.json';

/** `live.json` (docs/INTERFACES.md). Times are in seconds since the run began, by the wall clock, except for `cpuSeconds`. */
export interface LiveRun {
  readonly kymoLive: 1;
  readonly target: string;
  readonly study: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** When this was written. */
  readonly seconds: number;
  /** Process that writes it. */
  readonly pid: number;
  readonly host: string;
  readonly state: 'starting' | 'running' | 'suspended' | 'ending';
  readonly processes: readonly LiveProcess[];
  /** Processor time of all processes so far, and the part of it that recording takes, by visits and calibrated cost. */
  readonly cpuSeconds: number;
  readonly recordingSeconds: number;
  readonly iterations?: LiveIterationCount;
  /** `profile.cubex` beside it has the run up to then; 0: it is not there yet. */
  readonly profileSeconds: number;
}

export interface LiveProcess {
  readonly pid: number;
  readonly host: string;
  readonly rank: number;
  readonly threads: number;
  readonly cpuSeconds: number;
  /** Of all phases. */
  readonly iterations: number;
  readonly isSuspended: boolean;
  readonly hasEnded: boolean;
}

export interface LiveIterationCount {
  readonly phase: string;
  /** Iterations that all processes have. */
  readonly count: number;
  /** Number of them in `iterations.kymo` beside it; 0: it is not there yet. */
  readonly written: number;
  /** Mean time of an iteration since this was written before, in seconds by the wall; absent when there was none. */
  readonly seconds?: number;
}

export interface LiveWish {
  /** Whether the program is to wait at the end of an iteration. */
  readonly suspend: boolean;
}

export async function writeLive(folder: string, live: LiveRun): Promise<void> {
  await writeFileAtomically(path.join(folder, liveFileName), JSON.stringify(live));
}

/** Undefined if there is none, or if it is damaged. */
export async function readLive(folder: string): Promise<LiveRun | undefined> {
  return readChecked(path.join(folder, liveFileName), isLive);
}

/** @throws KymoError `write-failed`, `disk-full`, `results-linked` */
export async function writeWish(folder: string, wish: LiveWish): Promise<void> {
  await writeFileAtomically(path.join(folder, wishFileName), JSON.stringify(wish));
}

/** Undefined if nobody wants anything. */
export async function readWish(folder: string): Promise<LiveWish | undefined> {
  return readChecked(path.join(folder, wishFileName), isWish);
}

export const liveFiles: readonly string[] = [liveFileName, wishFileName];

async function readChecked<Value>(
  file: string,
  check: (value: unknown) => value is Value,
): Promise<Value | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(file));
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const text = { type: 'string', maxLength: 4096 } as const;
const amount = { type: 'number', minimum: 0 } as const;

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
    hasEnded: { type: 'boolean' },
  },
  required: ['pid', 'host', 'rank', 'threads', 'cpuSeconds', 'iterations', 'isSuspended', 'hasEnded'],
} as const;

const ajv = new Ajv();

const isLive = ajv.compile<LiveRun>({
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
    cpuSeconds: amount,
    recordingSeconds: amount,
    iterations: {
      type: 'object',
      properties: { phase: text, count: amount, written: amount, seconds: amount },
      required: ['phase', 'count', 'written'],
    },
    profileSeconds: amount,
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

const isWish = ajv.compile<LiveWish>({
  type: 'object',
  properties: { suspend: { type: 'boolean' } },
  required: ['suspend'],
});
