import { open } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import type { RunAgain } from '../backend';
import { explainScorepProblem, type ScorepProblem } from './explainScorepProblem';

/** What a recorder can change before a run is repeated. */
export interface Remedies {
  /** Leaves out what an exception leaves. @param region as Score-P names it @returns a sentence; undefined: nothing can be left out */
  leaveOut(region: string | undefined): string | undefined;
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
  const output = path.join(experiment, 'output.txt');
  const problem = explainScorepProblem(await headAndTail(output));
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

function remedyOf({ reason, region }: ScorepProblem, remedies: Remedies): string | undefined {
  if (reason === 'scorep-frame-left') return remedies.leaveOut(region);
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
