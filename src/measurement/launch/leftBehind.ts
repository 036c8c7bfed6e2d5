import type { ProcessResult } from './process';

/**
 * What the user should know of processes that were running after the program's end, in a sentence; undefined when there were none.
 * @param who begins the sentence, such as “The build”
 */
export function leftBehind(
  who: string,
  { left, stuck }: Pick<ProcessResult, 'left' | 'stuck'>,
): string | undefined {
  if (left.length === 0 && stuck.length === 0) return undefined;
  const sentences = [
    `${who} left processes running: ${counted(left.length > 0 ? left : stuck)}.`,
    ...(left.length > stuck.length ? ['Kymo ended them.'] : []),
    ...(stuck.length > 0 ? [`${counted(stuck)} could not be ended.`] : []),
  ];
  return sentences.join(' ');
}

/** `sleep, server (3)`, in the order in which they were found. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ');
}
