import { isRecord } from './present';

/**
 * What a message says of a file that a later version wrote; undefined: this version reads it, or it says no version.
 * @param key of the content that has the version of the format, a whole number from 1
 */
export function laterVersion(content: unknown, key: string, current: number): string | undefined {
  const version = isRecord(content) ? content[key] : undefined;
  return typeof version === 'number' && Number.isInteger(version) && version > current
    ? `was written by a newer Kymo (format ${version}, this one reads up to ${current})`
    : undefined;
}
