import { KymoError } from '../../../../core/errors';
import type { Target } from '../../../config/config';
import type { ScorepInstallation } from '../installation/findScorep';
import { requireKnownFlags } from './instrumenterCommand';

/**
 * What in a target's settings does not fit the Score-P that it wants to be measured with; whole sentences.
 * Metrics that a Score-P was built without are not refused by it: it leaves them out without a word.
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
      `${name} asks for ${missing.join(' and ')}, and ${scorep.path} was built without: it would leave these metrics out without a word. Load a Score-P that has them, or take them out of "scorep": {"environment": {…}}.`,
    );
  return problems;
}
