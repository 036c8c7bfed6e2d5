import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { preemptionSentence } from '../../core/cost/runConditions';
import { readCube } from '../../formats/cube4/read';

/** Why the times of a trace are longer than those of the profile of the same run; nothing where they are not, or there is no profile. */
export async function besideProfile(anchor: string): Promise<readonly string[]> {
  const file = path.join(path.dirname(anchor), 'profile.cubex');
  if (!existsSync(file)) return [];
  try {
    const sentence = preemptionSentence(readCube(await readFile(file), file));
    return sentence === undefined
      ? []
      : [`${sentence} Times of this trace contain that, and those of the profile of the same run do not.`];
  } catch {
    // A profile that cannot be read says nothing about the trace.
    return [];
  }
}
