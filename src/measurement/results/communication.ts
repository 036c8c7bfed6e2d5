import {
  communicationMatrix,
  type CommunicationEntry,
  type CommunicationMatrix,
} from '../../core/communication/communicationMatrix';
import type { ProcessResult } from './readResults';

/**
 * Who sent how much to whom in the job with the most ranks, with the seconds that receives waited for the senders. Undefined when no job merged its results.
 */
export function communicationOf(results: readonly ProcessResult[]): CommunicationMatrix | undefined {
  const known = results.filter(({ partners }) => partners !== undefined);
  const [largest] = [...known].sort((a, b) => b.rankCount - a.rankCount);
  if (largest === undefined) return undefined;
  const job = known.filter(({ iterationsFile }) => iterationsFile.file === largest.iterationsFile.file);
  const entries = job.flatMap(entriesOf).filter(({ from, to }) => Math.max(from, to) < largest.rankCount);
  return entries.length === 0 ? undefined : communicationMatrix(largest.rankCount, entries);
}

/** Senders know the messages, and receivers how long they waited. */
function entriesOf({ rank, partners = [], ticksPerSecond }: ProcessResult): readonly CommunicationEntry[] {
  return partners.map(({ peer, received, messages, bytes, waitedTicks }) =>
    received
      ? { from: peer, to: rank, messages: 0, bytes: 0, seconds: waitedTicks / ticksPerSecond }
      : { from: rank, to: peer, messages, bytes, seconds: 0 },
  );
}
