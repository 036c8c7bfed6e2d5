import { at } from '../at';
import { formatCount, formatPercent, formatSeconds } from '../format';
import { problem } from './context/problem';
import { recordingCost } from './context/recordingCost';
import type { PropertyContext } from './context/propertyContext';
import { placeOf } from '../profile/place';
import type { Property } from '../properties/property';

/** From this share on the cost, which is an estimate, cannot be distinguished from the whole. */
const nearlyAll = 0.9;

/**
 * Functions that cost more to record than they are worth: "excessive total relative overhead" of performance-dynamics §13.3, with one
 * calibrated pair instead of two probes: visits × pair ÷ pure time of the function > 5 %, where pure time is its inclusive time
 * without the cost of recording it and everything below. Severity is the cost's share of the run.
 */
export function findOverheads(context: PropertyContext): readonly Property[] {
  const { profile, times, keys, names, activities, thresholds, whole: run, base } = context;
  const settings = { overheadThreshold: thresholds.overheadRatio, thresholdTime: thresholds.overheadShare };
  const { seconds: total, visits, isCalibrated } = recordingCost(context);
  const single: Property[] = [];
  profile.regions.forEach((region, index) => {
    const own = at(times.regions, index);
    const cost = context.costOf(index);
    if (cost === undefined) return;
    const seconds = own.visits * cost.pairSeconds;
    // Calls of libraries count to the whole, but no filter leaves them out.
    if (activities[index] !== 'computation') return;
    // Without a calibration the times still contain the cost.
    const pure = own.inclusiveSeconds - (cost.calibrated ? 0 : own.timedWithin * cost.pairSeconds);
    const sums = { overhead: seconds, time: pure + seconds };
    const found = problem({ rule: 'overhead', sums, base, settings }, (severity) => ({
      id: `excessive-overhead:${at(keys, index)}`,
      title: `Recording ${at(names, index)} costs ${formatPercent(severity)} of ${run.words} (${formatCount(own.visits)} visits × ${formatSeconds(cost.pairSeconds)})`,
      confidence: cost.calibrated ? 1 : 0.5,
      region: placeOf(region),
      evidence: {
        overheadSeconds: seconds,
        visits: own.visits,
        pairSeconds: cost.pairSeconds,
        pureSeconds: Math.max(0, pure),
        // Nothing is left of its time: the cost is all there is.
        overheadRatio: pure > 0 ? seconds / pure : Number.MAX_VALUE,
        thresholdRatio: thresholds.overheadRatio,
      },
    }));
    single.push(...found);
  });
  const reportThreshold = thresholds.totalOverheadShare;
  const all = { rule: 'recording', sums: { overhead: total }, base, settings: { reportThreshold } };
  const whole = problem(all, (severity) => ({
    id: 'excessive-overhead:run',
    title: totalTitle(
      severity,
      run.words,
      `${formatCount(visits)} visits × ${formatSeconds(total / visits)}`,
    ),
    confidence: isCalibrated ? 1 : 0.5,
    evidence: {
      overheadSeconds: total,
      visits,
      pairSeconds: total / visits,
      runSeconds: base.seconds,
      overheadShare: severity,
      // Run time with recording ÷ run time without; unknown where nothing is left.
      ...(severity < nearlyAll ? { slowdown: 1 / (1 - severity) } : {}),
      thresholdShare: reportThreshold,
    },
  }));
  return [...whole, ...single];
}

function totalTitle(severity: number, words: string, sum: string): string {
  return severity >= nearlyAll
    ? `Recording costs nearly all of ${words} (${sum}): the profile shows the measurement, not the program`
    : `Recording costs ${formatPercent(severity)} of ${words} in all (${sum}): the profile is disturbed`;
}
