import { KymoError } from '../../../core/errors';
import { findProgram } from '../../launch/findProgram';
import { runProcess } from '../../launch/process';
import type { PrepareOptions } from '../backend';

export interface Scorep {
  /** Absolute path of the instrumenter. */
  readonly path: string;
  readonly version: string;
}

/** @throws KymoError `scorep-missing` */
export async function requireScorep({ target, environment, signal }: PrepareOptions): Promise<Scorep> {
  const { instrumenter } = target.scorep;
  const searchPath = environment.PATH ?? process.env.PATH;
  const found = await findProgram(instrumenter, searchPath);
  if (found === undefined)
    throw new KymoError(
      'scorep-missing',
      `The back-end "scorep" of ${target.name} needs Score-P, and “${instrumenter}” was not found in PATH. Load its module (module load scorep), or name the program in "scorep": {"instrumenter": "…"} of kymo.json, or set "backend" to "kymo".`,
    );
  const said = await runProcess({ argv: [found, '--version'] }, { timeoutSeconds: 20, signal });
  return { path: found, version: /(\d+\.\d+[\w.-]*)/.exec(said.stdout)?.[1] ?? '' };
}
