import { open } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../../core/errors';
import type { RunAgain } from '../../common/backend';
import { explainScorepProblem, type ScorepProblem } from '../installation/explainScorepProblem';

/** Changes that a recorder can make before a run is repeated. */
export interface Remedies {
  /**
   * Leaves out the functions that an exception leaves: the inner region and those between it and the outer one, by Score-P's names.
   * @returns a sentence; undefined when nothing can be left out
   */
  leaveOut(inner: string, outer: string): string | undefined;
  /** @returns a sentence; undefined when there is no more memory, or the user has set it */
  moreMemory(): string | undefined;
}

/**
 * A remedy or an explanation for Score-P's message in a run without a profile.
 * @param experiment folder with the run's `output.txt`
 * @returns undefined when there is no message: the program itself failed
 */
export async function troubleOf(
  experiment: string,
  remedies: Remedies,
  cause?: unknown,
): Promise<RunAgain | KymoError | undefined> {
  const problem = await problemIn(experiment);
  const output = path.join(experiment, outputFile);
  if (problem === undefined) return undefined;
  const remedy = remedyOf(problem, remedies);
  if (remedy !== undefined) return { runAgain: true, messages: [remedy] };
  return new KymoError(
    problem.reason,
    `${problem.message} The run's whole output: ${output}`,
    problem.where ?? { file: output },
    { cause },
  );
}

/** The problem that Score-P reported in the run of an experiment, if any. */
export async function problemIn(experiment: string): Promise<ScorepProblem | undefined> {
  return explainScorepProblem(await headAndTail(path.join(experiment, outputFile)));
}

const outputFile = 'output.txt';

function remedyOf(
  { reason, region = '', outerRegion = '' }: ScorepProblem,
  remedies: Remedies,
): string | undefined {
  if (reason === 'scorep-frame-left') return remedies.leaveOut(region, outerRegion);
  return reason === 'scorep-memory-exceeded' ? remedies.moreMemory() : undefined;
}

const pieceBytes = 256 * 1024;

/** The parts of the output in which Score-P prints its messages. Empty when there is no such file. */
async function headAndTail(file: string): Promise<string> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = await handle.stat();
    const head = await pieceOf(handle, 0, Math.min(size, pieceBytes));
    if (size <= pieceBytes) return head;
    const begin = Math.max(pieceBytes, size - pieceBytes);
    return `${head}\n${await pieceOf(handle, begin, size - begin)}`;
  } finally {
    await handle.close();
  }
}

async function pieceOf(
  handle: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('utf8', 0, bytesRead);
}
