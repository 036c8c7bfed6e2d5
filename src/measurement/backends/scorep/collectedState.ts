import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../experiments/disk';

/** What the plain build has left, for a refinement that goes on. */
export interface Collected {
  readonly kymoCollected: 1;
  readonly tool: string;
  readonly command: string;
  /** Absolute; a copy that later builds leave alone. */
  readonly executable: string;
  /** Shared libraries of the same build, copied beside it: later builds would put instrumented ones in their place. */
  readonly libraries: readonly string[];
  readonly buildId: string;
  /** Hashes of the units' fragments. */
  readonly units: readonly string[];
  readonly seconds: number;
}

const fileName = 'collected.json';

export async function readCollected(folder: string): Promise<Collected | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(folder, fileName), 'utf8'));
    return isCollected(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function writeCollected(folder: string, state: Collected): Promise<void> {
  await writeFileAtomically(path.join(folder, fileName), `${JSON.stringify(state, undefined, 1)}\n`);
}

function isCollected(value: unknown): value is Collected {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Partial<Record<keyof Collected, unknown>>;
  return (
    state.kymoCollected === 1 &&
    [state.tool, state.command, state.executable, state.buildId].every((one) => typeof one === 'string') &&
    typeof state.seconds === 'number' &&
    [state.units, state.libraries].every(
      (list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
    )
  );
}
