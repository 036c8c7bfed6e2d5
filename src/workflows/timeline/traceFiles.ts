import { statSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Location } from '../../formats/otf2/definitions/model';
import type { FileState } from '../../formats/trace-index/layout';

const absent: FileState = { size: -1, modified: 0 };

export function fileState(file: string): FileState {
  try {
    const { size, mtimeMs } = statSync(file);
    return { size, modified: mtimeMs };
  } catch {
    return absent;
  }
}

/** The files of an archive on disk. */
export class TraceFiles {
  readonly folder: string;
  readonly #stem: string;

  constructor(readonly anchor: string) {
    this.folder = path.dirname(anchor);
    this.#stem = anchor.replace(/\.otf2$/i, '');
  }

  get definitions(): string {
    return `${this.#stem}.def`;
  }

  eventsOf({ id }: Location): string {
    return path.join(this.#stem, `${id}.evt`);
  }

  definitionsOf({ id }: Location): string {
    return path.join(this.#stem, `${id}.def`);
  }

  /** Changes with what all other files are read by. @throws KymoError `file-missing` */
  identity(): string {
    const states = [this.anchor, this.definitions].map(fileState);
    if ((states[0]?.size ?? -1) < 0)
      throw new KymoError(
        'file-missing',
        `“${this.anchor}” cannot be read: there is no such file. Choose another trace.`,
        { file: this.anchor },
      );
    return states.map(({ size, modified }) => `${size}-${modified}`).join(' ');
  }
}

export function isSameFile(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.modified === other.modified;
}
