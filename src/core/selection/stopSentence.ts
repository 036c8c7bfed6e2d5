/** Why a refinement ended. */
export type StopReason = 'fixpoint' | 'overhead' | 'above-target' | 'iterations' | 'budget' | 'program-ended';

const known: Readonly<Record<StopReason, string>> = {
  fixpoint: 'the selection no longer changes',
  overhead: 'the overhead target leaves no room for more',
  'above-target': 'even what has to be recorded exceeds the overhead target',
  iterations: 'the maximum number of rounds was reached',
  budget: 'the time budget was used up',
  'program-ended': 'the program ended before the selection was settled',
};

const sentences: Readonly<Record<string, string>> = known;

/** Why a refinement ended, as the rest of a sentence; a reason of a later version as it is. */
export function stopSentence(reason: string): string {
  return sentences[reason] ?? reason;
}
