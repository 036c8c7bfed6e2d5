import { realpathSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { printable } from '../terminal/table';

/** The folder that an assistant may see: every path that it names must lie in it, also after symbolic links are followed. */
export class ServedFolder {
  readonly folder: string;

  /** @param folder an existing folder */
  constructor(folder: string) {
    this.folder = realpathSync(folder);
  }

  /**
   * A file or folder that an assistant names, relative to the served folder or absolute, without symbolic links.
   * @throws KymoError `outside-folder`; `no-result` where there is nothing
   */
  existing(given: string): string {
    const whole = path.resolve(this.folder, given);
    // A path that leads out says nothing about what is there.
    if (!this.holds(whole)) throw this.outside(given);
    let real: string;
    try {
      real = realpathSync(whole);
    } catch {
      throw new KymoError(
        'no-result',
        `There is no “${printable(given)}” in ${this.folder}. The tool list_results names what there is.`,
      );
    }
    if (!this.holds(real)) throw this.outside(given);
    return real;
  }

  /** Checks files that were found below a named folder: one of them may be a link. @throws KymoError `outside-folder` */
  require(files: readonly string[]): void {
    for (const file of files) this.existing(file);
  }

  /** For answers: relative to the folder, also where a result names a file by a path with links; as it is where it lies elsewhere. */
  shown(file: string): string {
    if (!path.isAbsolute(file)) return file;
    const real = this.holds(file) ? file : realOf(file);
    return this.holds(real) ? path.relative(this.folder, real) || '.' : file;
  }

  private holds(file: string): boolean {
    return (
      file === this.folder ||
      file.startsWith(this.folder === path.sep ? path.sep : `${this.folder}${path.sep}`)
    );
  }

  private outside(given: string): KymoError {
    return new KymoError(
      'outside-folder',
      `“${printable(given)}” lies outside of ${this.folder}, the only folder that this server reads. Name a result in it: the tool list_results has them all.`,
    );
  }
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
