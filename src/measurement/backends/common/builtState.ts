import path from 'node:path';
import { isRecord } from '../../../core/present';
import { writeFileAtomically } from '../../files/disk';
import { readOwnFile, resultsFolder } from '../../files/ownFiles';

/** How Kymo built the executable in the workspace: decides whether the objects on disk can be reused. */
export interface BuiltState {
  readonly kymoBuild: 1;
  /** `toolFingerprint`: objects of another version of the tool are not linked in. */
  readonly tool: string;
  readonly command: string;
  readonly probes: boolean;
  readonly minimumStatements: number;
  /** Build id of the executable. */
  readonly buildId: string;
  readonly seconds: number;
}

/** `.kymo/<target>/build`: fragments of the call graph, the vanilla executable, and the state of the last build. */
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
  if (!isRecord(value)) return false;
  const { kymoBuild, command, buildId } = value;
  return kymoBuild === 1 && typeof command === 'string' && typeof buildId === 'string';
}
