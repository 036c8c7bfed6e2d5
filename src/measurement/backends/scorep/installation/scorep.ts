import { KymoError } from '../../../../core/errors';
import type { PrepareOptions } from '../../common/backend';
import { findScorep, type ScorepInstallation } from './findScorep';

/** @throws KymoError `scorep-missing`, `scorep-broken`, `scorep-unfit` (cannot instrument functions), `cancelled` */
export async function requireScorep({
  target,
  environment,
  signal,
}: PrepareOptions): Promise<ScorepInstallation> {
  const { instrumenter } = target.scorep;
  const installation = await findScorep({
    instrumenter,
    environment: { ...process.env, ...environment },
    signal,
  });
  if (installation === undefined)
    throw new KymoError(
      'scorep-missing',
      `The back-end "scorep" of ${target.name} needs Score-P, and “${instrumenter}” was not found in PATH. Load its module (module load scorep), or name the program in "scorep": {"instrumenter": "…"} of kymo.json, or set "backend" to "kymo".`,
    );
  const { problems, path } = installation;
  if (problems.length > 0) throw new KymoError('scorep-unfit', problems.join(' '), { file: path });
  return installation;
}
