import { silent, type ProgressSink } from '../../core/progress';
import type { Target } from '../../measurement/config/config';
import { withInputFiles } from '../../measurement/config/inputFiles';
import { loadConfig, selectTarget } from '../../measurement/config/loadConfig';
import { requireOneProgram } from '../../measurement/config/oneProgram';

export interface MeasurableTarget {
  /** The folder of `kymo.json`; absolute. */
  readonly workspace: string;
  readonly target: Target;
}

/**
 * The target to build or measure; reports warnings about `kymo.json`.
 * @param options.target its name; default: the first
 * @throws KymoError when there is no such target; `several-programs` when its launcher starts others, too; as `withInputFiles`
 */
export async function measurableTarget(options: {
  readonly workspace: string;
  readonly target?: string;
  readonly progress?: ProgressSink;
}): Promise<MeasurableTarget> {
  const { progress = silent } = options;
  const { config, warnings } = await loadConfig(options.workspace);
  for (const { message, file, line, column } of warnings)
    progress.log(`${file}:${line}:${column}: ${message}`);
  const target = selectTarget(config, options.target);
  requireOneProgram(target);
  return { workspace: config.workspace, target: await withInputFiles(target, config.workspace) };
}
