import { stat } from 'node:fs/promises';
import { KymoError } from '../../core/errors';

/**
 * The results that were asked for last, by key; several that ask at the same time share one computation. What failed is computed again
 * when it is asked for again.
 */
export class RecentResults<Result> {
  private readonly results = new Map<string, Promise<Result>>();

  /** @param most that are kept */
  constructor(private readonly most: number) {}

  async get(key: string, compute: () => Promise<Result>): Promise<Result> {
    const result = this.results.get(key) ?? compute();
    this.results.delete(key);
    this.results.set(key, result);
    for (const oldest of this.results.keys()) {
      if (this.results.size <= this.most) break;
      this.results.delete(oldest);
    }
    try {
      return await result;
    } catch (error) {
      if (this.results.get(key) === result) this.results.delete(key);
      throw error;
    }
  }
}

/** Changes with the content of a file. @throws what `stat` throws */
export async function contentIdentity(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs}-${size}-${ino}`;
}

/** The same of a profile. @throws KymoError `profile-missing` */
export async function profileIdentity(file: string): Promise<string> {
  try {
    return await contentIdentity(file);
  } catch (cause) {
    throw new KymoError(
      'profile-missing',
      `${file} cannot be read: it was deleted or moved, or it is not yet written. Choose another profile, or run the program again.`,
      { file },
      { cause },
    );
  }
}
