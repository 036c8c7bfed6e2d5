/** What watchers want to be recorded in a run that is under way: a file for each wish, so that several watchers lose none of each other's. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { JsonSchema } from '../../core/jsonSchema';
import { writeFileAtomically } from '../../measurement/files/disk';
import { requireOwn } from '../../measurement/files/ownFiles';
import { readRegularFile } from '../../measurement/files/regularFile';

/** Functions by key. One that is in both lists is left out. */
export interface RecordingWish {
  readonly record: readonly string[];
  readonly leave: readonly string[];
}

export interface FiledWish {
  /** Names the wish in `live.json`. */
  readonly id: string;
  /** Undefined: what is in the file is no wish. */
  readonly wish: RecordingWish | undefined;
}

/** Begins with the time, so that of two wishes on one function the later one counts. */
const fileName = /^live-wish-(\d{13,16}-[\da-f]{16})\.json$/;
const mostFunctions = 200_000;
const longestKey = 1 << 16;
const mostBytes = 64 << 20;
/** Wishes that are taken at once; the others wait for the next time. */
const mostWishes = 64;

/** @returns the wish's id @throws KymoError `write-failed`, `disk-full`, `results-linked` */
export async function fileWish(folder: string, wish: RecordingWish): Promise<string> {
  const id = `${String(Date.now()).padStart(13, '0')}-${randomBytes(8).toString('hex')}`;
  await writeFileAtomically(wishFile(folder, id), JSON.stringify(wish));
  return id;
}

/** Takes a wish back, or removes one that was done. */
export async function removeWish(folder: string, id: string): Promise<void> {
  await rm(wishFile(folder, id), { force: true });
}

/** The wishes that are there, the oldest first. They stay until they are removed. */
export async function filedWishes(folder: string): Promise<readonly FiledWish[]> {
  const names = await wishFiles(folder);
  return Promise.all(
    names.slice(0, mostWishes).map(async (name) => {
      const [, id = ''] = fileName.exec(name) ?? [];
      return { id, wish: await readWish(path.join(folder, name)) };
    }),
  );
}

/** Their names, the oldest first. */
export async function wishFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => fileName.test(name)).sort();
}

async function readWish(file: string): Promise<RecordingWish | undefined> {
  try {
    requireOwn(file);
    const text = (await readRegularFile(file, mostBytes, constants.O_NOFOLLOW)).toString('utf8');
    const value: unknown = JSON.parse(text);
    return wishes.describes(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function wishFile(folder: string, id: string): string {
  return path.join(folder, `live-wish-${id}.json`);
}

const keys = {
  type: 'array',
  items: { type: 'string', maxLength: longestKey },
  maxItems: mostFunctions,
} as const;

const wishes = new JsonSchema<RecordingWish>({
  type: 'object',
  properties: { record: keys, leave: keys },
  required: ['record', 'leave'],
});
