import { isKymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { ProcessState } from '../../formats/control/messages';
import { mostSwitches } from '../../formats/control/requests';
import type { ProcessLink } from '../../overlay/agent/processLink';

/** What became of the wish to switch functions of a process. */
export interface SwitchedProcess {
  readonly process: ProcessState;
  /** Iterations (of all phases) that were complete before and after: those between were recorded in part. */
  readonly iterations: readonly [before: number, after: number];
  /** It refused, or has ended: nothing was switched. */
  readonly isUnchanged: boolean;
  /** The reason why nothing was switched, or not all; undefined: all was, or it has ended. */
  readonly why?: string;
}

/** A process that ends meanwhile is not switched any more, and that is no problem. */
export async function switchIn(
  connection: ProcessLink,
  known: ProcessState,
  changes: ReadonlyMap<number, boolean>,
): Promise<SwitchedProcess> {
  let process = known;
  const failed = { functions: 0, sites: 0 };
  try {
    process = await connection.state();
    const before = process.iterations;
    const all = [...changes].map(([slot, on]) => ({ slot, on }));
    for (let first = 0; first < all.length; first += mostSwitches) {
      const answer = await connection.ask({ kind: 'switch', slots: all.slice(first, first + mostSwitches) });
      if (answer.kind !== 'switched') continue;
      failed.functions += answer.unknownSlots;
      failed.sites += answer.failedSites;
    }
    process = await connection.state();
    return {
      process,
      iterations: [before, process.iterations],
      isUnchanged: false,
      ...present({ why: whyNot(failed) }),
    };
  } catch (error) {
    if (!isKymoError(error)) throw error;
    const iterations = [process.iterations, process.iterations] as const;
    const why = error.reason === 'process-ended' ? undefined : error.message;
    return { process, iterations, isUnchanged: true, ...present({ why }) };
  }
}

function whyNot({
  functions,
  sites,
}: {
  readonly functions: number;
  readonly sites: number;
}): string | undefined {
  if (functions > 0) return `${functions} functions have no patch point in it`;
  return sites > 0 ? `the kernel refused to change ${sites} patch points` : undefined;
}
