import {
  communicationMatrix,
  type CommunicationEntry,
  type CommunicationMatrix,
} from '../../core/communication/communicationMatrix';
import { KymoError } from '../../core/errors';
import type { ProcessResult } from './readResults';

/**
 * Who sent how much to whom in the job with the most ranks, with the seconds that receives waited for the senders. Undefined when no job merged its results.
 */
export async function communicationOf(
  results: readonly ProcessResult[],
): Promise<CommunicationMatrix | undefined> {
  const known = results.filter(({ readPartners }) => readPartners !== undefined);
  const [largest] = [...known].sort((a, b) => b.rankCount - a.rankCount);
  if (largest === undefined) return undefined;
  const entries: CommunicationEntry[] = [];
  for (const result of known)
    if (result.iterationsFile.file === largest.iterationsFile.file)
      entries.push(
        ...(await entriesOf(result)).filter(({ from, to }) => Math.max(from, to) < largest.rankCount),
      );
  return entries.length === 0 ? undefined : communicationMatrix(largest.rankCount, entries);
}

/** Senders know the messages, and receivers how long they waited. A damaged part only loses what its process knows. */
async function entriesOf({
  rank,
  readPartners,
  ticksPerSecond,
}: ProcessResult): Promise<readonly CommunicationEntry[]> {
  const partners = await readPartners?.().catch((error: unknown) => {
    if (error instanceof KymoError) return [];
    throw error;
  });
  return (partners ?? []).map(({ peer, received, messages, bytes, waitedTicks }) =>
    received
      ? { from: peer, to: rank, messages: 0, bytes: 0, seconds: waitedTicks / ticksPerSecond }
      : { from: rank, to: peer, messages, bytes, seconds: 0 },
  );
}
