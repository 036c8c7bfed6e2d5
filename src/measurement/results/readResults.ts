import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import {
  parseResult,
  parseResultTrees,
  type KymoResultTrees,
  type ResultHead,
} from '../../formats/kymo-result/resultFile';
import type { ResultThread, ThreadTree } from '../../formats/kymo-result/threads';
import { readJobPlaces, readPart, readPartners, type Partner } from '../../formats/kymo-result/jobFile';
import type { NamedSource, Range } from '../../formats/byteSource';
import { resultsFile, withFileSource } from '../files/fileSource';

export interface ReadResultsOptions {
  readonly directory: string;
  readonly selectionId: string;
  readonly slots: readonly string[];
  readonly signal?: AbortSignal;
}

/** The result of a process with what belongs to it. Call trees are in memory only while they are read: those of all ranks would fill it. */
export interface ProcessResult extends ResultHead {
  /** @throws KymoError `invalid-result` where a node has a slot that the selection lacks */
  readonly readTrees: () => Promise<readonly ThreadTree[]>;
  readonly readThreads: () => Promise<readonly ResultThread[]>;
  /** The file of its iterations, which need not exist, and the part of the file if they are not all of it. `waits`: what they waited. */
  readonly iterationsFile: { readonly file: string; readonly range?: Range; readonly waits?: Range };
  /** Undefined when the processes did not end together and merge what they know. */
  readonly readPartners?: () => Promise<readonly Partner[]>;
}

/**
 * Reads the results of a run, ordered by rank and start. A damaged file loses that process, with a message.
 * @throws KymoError `no-results` without a readable file, `other-selection`, `invalid-result`
 */
export async function readResults(
  options: ReadResultsOptions,
): Promise<{ readonly results: readonly ProcessResult[]; readonly messages: readonly string[] }> {
  const { directory, signal } = options;
  const names = await readdir(directory).catch((error: unknown) => {
    throw new KymoError(
      'no-results',
      `The folder for results ${directory} cannot be read.`,
      { file: directory },
      { cause: error },
    );
  });
  const read: ProcessResult[] = [];
  const messages: string[] = [];
  const collect = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof KymoError)) throw error;
      messages.push(`One process is missing from the profile: ${error.message}`);
    }
  };
  for (const name of names.filter((n) => /\.(kymo|job)$/.test(n)).sort()) {
    const file = path.join(directory, name);
    await collect(async () => {
      for (const place of name.endsWith('.kymo')
        ? [placeOf(file)]
        : await withFileSource(file, jobPlaces, resultsFile)) {
        signal?.throwIfAborted();
        await collect(async () => void read.push(await readHead(place, options)));
      }
    });
  }
  const results = newestOfEach(read);
  const unfinished = names.filter((n) => n.endsWith('.kymo.tmp')).length;
  if (unfinished > 0) {
    messages.push(
      `${unfinished} processes were killed, or found the disk full, while they wrote their result; they are missing from the profile.`,
    );
  }
  if (results.length === 0) throw noResults(directory, messages);
  for (const result of results) requireSelection(result, options);
  results.sort((a, b) => a.rank - b.rank || a.beginNanoseconds - b.beginNanoseconds || a.pid - b.pid);
  return { results, messages: [...messages, ...missingRanks(results)] };
}

/** A process whose result has not been read yet. */
interface Place extends Pick<ProcessResult, 'iterationsFile' | 'readPartners'> {
  /** Reads the file again each time. @param parse `parseResult` or `parseResultTrees` */
  readonly read: <Result>(parse: (bytes: Uint8Array, name: string) => Result) => Promise<Result>;
}

function placeOf(file: string): Place {
  return {
    read: (parse) => withFileSource(file, (source) => parse(source.read(0, source.size), file), resultsFile),
    iterationsFile: { file: file.replace(/\.kymo$/, '.iterations') },
  };
}

function jobPlaces(job: NamedSource): readonly Place[] {
  const { file } = job;
  return readJobPlaces(job).map(({ result, partners, iterations, waits }, rank) => ({
    read: (parse) =>
      withFileSource(
        file,
        (source) => parse(readPart(source, result), `${file} (rank ${rank})`),
        resultsFile,
      ),
    iterationsFile: { file, range: iterations, waits },
    readPartners: () => withFileSource(file, (source) => readPartners(source, partners), resultsFile),
  }));
}

async function readHead({ read, ...place }: Place, options: ReadResultsOptions): Promise<ProcessResult> {
  const result = await read(parseResultTrees);
  return {
    ...result,
    ...place,
    threads: result.threads.map(({ number, lifetimeTicks, preemptedSeconds, cpuSeconds }) => ({
      number,
      lifetimeTicks,
      preemptedSeconds,
      cpuSeconds,
    })),
    readTrees: async () => {
      const again = await read(parseResultTrees);
      requireSlots(again, options);
      return again.threads;
    },
    readThreads: async () => (await read(parseResult)).threads,
  };
}

/**
 * A process that goes on for long after its job has merged the results writes a file of its own, with all that it measured. What it knows of
 * its iterations and partners remains in the job's file.
 */
function newestOfEach(results: readonly ProcessResult[]): ProcessResult[] {
  const newest = new Map<string, ProcessResult>();
  for (const result of results) {
    const process = `${result.host} ${result.pid}`;
    const other = newest.get(process);
    const [ofJob, own] = result.readPartners === undefined ? [other, result] : [result, other];
    newest.set(
      process,
      ofJob === undefined || own === undefined
        ? result
        : { ...own, ...present({ readPartners: ofJob.readPartners }), iterationsFile: ofJob.iterationsFile },
    );
  }
  return [...newest.values()];
}

/** A job in which ranks were killed, or ended without writing a result, misleads wherever ranks are compared. */
function missingRanks(results: readonly ResultHead[]): readonly string[] {
  const ranks = new Set(results.map(({ rank }) => rank));
  const expected = Math.max(...results.map(({ rankCount }) => rankCount));
  const missing = Array.from({ length: expected }, (_, rank) => rank).filter((rank) => !ranks.has(rank));
  if (missing.length === 0) return [];
  const names = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ', …' : '');
  return [
    `${missing.length} of ${expected} ranks left no result and are missing from the profile (${names}): they were killed or ended by themselves.`,
  ];
}

function noResults(directory: string, messages: readonly string[]): KymoError {
  const detail =
    messages[0] ??
    'The program was killed, ended by _exit in a way that skips the library, or is not the instrumented executable.';
  return new KymoError('no-results', `The run wrote no result to ${directory}. ${detail}`, {
    file: directory,
  });
}

function requireSelection(result: ResultHead, options: ReadResultsOptions): void {
  if (result.selectionId !== options.selectionId) {
    throw new KymoError(
      'other-selection',
      `${result.file} was measured with selection ${result.selectionId}, not with ${options.selectionId}. Measure again with an empty folder for results.`,
      { file: result.file },
    );
  }
}

function requireSlots(result: KymoResultTrees, options: ReadResultsOptions): void {
  for (const thread of result.threads) {
    thread.slot.forEach((slot, node) => {
      // The two highest numbers are markers (docs/formats.md).
      if (slot < options.slots.length + result.regions.length || slot >= 0xffff_fffe) return;
      throw new KymoError(
        'invalid-result',
        `${result.file}: node ${node} of thread ${thread.number} has slot ${slot}, but the selection has ${options.slots.length}. The file is damaged; measure again.`,
        { file: result.file },
      );
    });
  }
}
