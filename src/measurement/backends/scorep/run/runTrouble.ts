import { open } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../../core/errors';
import type { RunAgain } from '../../common/backend';
import { explainScorepProblem, type ScorepProblem } from '../installation/explainScorepProblem';

/** What a recorder can change before a run is repeated. */
export interface Remedies {
  /**
   * Leaves out what an exception leaves: the inner region, and what lies between it and the outer one, as Score-P names them.
   * @returns a sentence; undefined: nothing can be left out
   */
  leaveOut(inner: string, outer: string): string | undefined;
  /** @returns a sentence; undefined: there is no more, or the user decides */
  moreMemory(): string | undefined;
}

/**
 * What Score-P said in a run that did not give a profile, as what to do about it.
 * @param experiment folder with the run's `output.txt`
 * @returns undefined when Score-P said nothing: the trouble is the program's own
 */
export async function troubleOf(
  experiment: string,
  remedies: Remedies,
  cause?: unknown,
): Promise<RunAgain | KymoError | undefined> {
  const problem = await saidIn(experiment);
  const output = path.join(experiment, outputFile);
  if (problem === undefined) return undefined;
  const remedy = remedyOf(problem, remedies);
  if (remedy !== undefined) return { runAgain: true, messages: [remedy] };
  return new KymoError(
    problem.reason,
    `${problem.message} All that the run printed: ${output}`,
    problem.where ?? { file: output },
    { cause },
  );
}

/** What Score-P said in the run of an experiment, if anything. */
export async function saidIn(experiment: string): Promise<ScorepProblem | undefined> {
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

/** Score-P speaks before and after the program. Empty when there is no such file. */
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
