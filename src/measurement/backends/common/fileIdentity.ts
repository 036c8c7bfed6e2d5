import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { currentBuildId } from '../../symbols/readObject';

/** The build id of an executable, or a hash of its content if it has none. */
export async function fileIdentity(file: string): Promise<string> {
  try {
    return await currentBuildId(file);
  } catch {
    const hash = createHash('sha1');
    await pipeline(createReadStream(file), hash);
    return hash.digest('hex');
  }
}
