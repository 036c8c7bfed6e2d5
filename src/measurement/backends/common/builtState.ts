import path from 'node:path';
import { writeFileAtomically } from '../../files/disk';
import { readOwnFile, resultsFolder } from '../../files/ownFiles';

/** How the executable that lies in the workspace was built by us: tells whether objects on disk can be trusted. */
export interface BuiltState {
  readonly kymoBuild: 1;
  /** `toolFingerprint`: objects of another version of the tool are not linked in. */
  readonly tool: string;
  readonly command: string;
  readonly probes: boolean;
  readonly minimumStatements: number;
  /** Of the executable. */
  readonly buildId: string;
  readonly seconds: number;
}

/** `.kymo/<target>/build`: fragments of the call graph, the vanilla executable, and how the last build was made. */
export function buildFolder(workspace: string, target: string): string {
  return path.join(path.resolve(workspace), resultsFolder, target, 'build');
}

export async function readBuiltState(folder: string): Promise<BuiltState | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(path.join(folder, 'built.json')));
    return isBuiltState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function writeBuiltState(folder: string, state: BuiltState): Promise<void> {
  await writeFileAtomically(path.join(folder, 'built.json'), `${JSON.stringify(state, undefined, 2)}\n`);
}

function isBuiltState(value: unknown): value is BuiltState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Partial<Record<keyof BuiltState, unknown>>;
  return state.kymoBuild === 1 && typeof state.command === 'string' && typeof state.buildId === 'string';
}
