import { rm } from 'node:fs/promises';
import path from 'node:path';
import { liveFileName, wishFileName } from '../studies/liveFile';
import { liveFunctionsFileName } from '../studies/liveFunctions';
import { diagnosisWishName } from '../diagnosing/live/diagnosisWish';
import { wishFiles } from './wishes';

/** Removes all that is only there while a run is under way. */
export async function removeLiveFiles(folder: string): Promise<void> {
  const names = [
    liveFileName,
    wishFileName,
    diagnosisWishName,
    liveFunctionsFileName,
    ...(await wishFiles(folder)),
  ];
  await Promise.all(names.map((name) => rm(path.join(folder, name), { force: true })));
}
