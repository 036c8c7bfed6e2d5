import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';

/** `.kymo/<target>/accepted.json`: the selection that a user accepted for the target. */
export interface Accepted {
  readonly kymoAccepted: 1;
  readonly study: string;
  readonly iteration: number;
  /** ISO 8601. */
  readonly acceptedAt: string;
}

const acceptedFileName = 'accepted.json';

/** @throws KymoError `disk-full`, `write-failed` */
export async function writeAccepted(targetDirectory: string, accepted: Accepted): Promise<void> {
  const text = `${JSON.stringify(accepted, undefined, 2)}\n`;
  await writeFileAtomically(path.join(targetDirectory, acceptedFileName), text);
}

/** The last accepted selection of a target (`.kymo/<target>`), if it is readable. */
export async function readAccepted(targetDirectory: string): Promise<Accepted | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(path.join(targetDirectory, acceptedFileName)));
    return isAccepted(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the accepted selection if it belongs to this study, which is being deleted. */
export async function forgetAccepted(studyDirectory: string): Promise<void> {
  const accepted = await readAccepted(path.dirname(studyDirectory));
  if (accepted?.study === path.basename(studyDirectory))
    await rm(path.join(path.dirname(studyDirectory), acceptedFileName), { force: true });
}

function isAccepted(value: unknown): value is Accepted {
  if (typeof value !== 'object' || value === null) return false;
  const { kymoAccepted, study, iteration } = value as Readonly<Record<string, unknown>>;
  return (
    kymoAccepted === 1 &&
    typeof study === 'string' &&
    // The name must not lead out of the target's folder.
    path.basename(study) === study &&
    study !== '..' &&
    Number.isSafeInteger(iteration)
  );
}
