import { KymoError } from '../../../../core/errors';
import type { Target } from '../../../config/config';
import type { ScorepInstallation } from '../installation/findScorep';
import { requireKnownFlags } from './instrumenterCommand';

/**
 * Sentences about settings of a target that do not fit the installed Score-P. Score-P itself silently ignores metrics that it was built
 * without.
 */
export function settingsProblems(target: Target, scorep: ScorepInstallation): readonly string[] {
  const { name, build, scorep: settings } = target;
  const problems: string[] = [];
  if (build.clean === undefined)
    problems.push(
      `${name} is measured with Score-P, which needs a new build for each selection: add "clean" to its "build" in kymo.json.`,
    );
  try {
    requireKnownFlags({ scorep, flags: settings.flags, target: name });
  } catch (error) {
    if (!(error instanceof KymoError)) throw error;
    problems.push(error.message);
  }
  const wants = (variable: string): boolean => (settings.environment[variable] ?? '') !== '';
  const { known, papi, perf, rusage } = scorep.features;
  const missing = [
    ...(wants('SCOREP_METRIC_PAPI') && !papi ? ['SCOREP_METRIC_PAPI (PAPI)'] : []),
    ...(wants('SCOREP_METRIC_PERF') && !perf ? ['SCOREP_METRIC_PERF (Linux perf events)'] : []),
    ...(wants('SCOREP_METRIC_RUSAGE') && !rusage ? ['SCOREP_METRIC_RUSAGE (getrusage)'] : []),
  ];
  if (known && missing.length > 0)
    problems.push(
      `${name} asks for ${missing.join(' and ')}, and ${scorep.path} was built without: it would silently ignore these metrics. Load a Score-P that has them, or remove them from "scorep": {"environment": {…}}.`,
    );
  return problems;
}
