import type { ProcessResult } from './process';

/**
 * A sentence about processes that were still running after the program's end; undefined when there were none.
 * @param who the subject of the sentence, such as “The build”
 */
export function leftBehind(
  who: string,
  { remaining, stuck }: Pick<ProcessResult, 'remaining' | 'stuck'>,
): string | undefined {
  if (remaining.length === 0 && stuck.length === 0) return undefined;
  const sentences = [
    `${who} left processes running: ${counted(remaining.length > 0 ? remaining : stuck)}.`,
    ...(remaining.length > stuck.length ? ['Kymo ended them.'] : []),
    ...(stuck.length > 0 ? [`${counted(stuck)} could not be ended.`] : []),
  ];
  return sentences.join(' ');
}

/** `sleep, server (3)`, in the order of the names. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ');
}
