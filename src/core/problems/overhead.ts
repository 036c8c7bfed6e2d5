import { formatCount, formatPercent, formatSeconds } from '../format';
import { shareOf } from '../functions/share';
import type { PropertyContext } from './context/propertyContext';
import { placeOf } from './context/place';
import type { Property } from '../properties/property';

const runId = 'excessive-overhead:run';
/** From this share on the cost, which is an estimate, cannot be told from the whole. */
const nearlyAll = 0.9;

/**
 * Functions that cost more to record than they are worth: "excessive total relative overhead" of performance-dynamics §13.3, with one
 * calibrated pair instead of two probes: visits × pair ÷ pure time of the function > 5 %, where pure time is its inclusive time
 * without the cost of recording it and everything below. Severity is the cost's share of the run.
 */
export function findOverheads(context: PropertyContext): readonly Property[] {
  const { profile, times, keys, names, activities, thresholds, whole: run, base } = context;
  let total = 0;
  let visits = 0;
  let guessed = 0;
  const single: Property[] = [];
  profile.regions.forEach((region, index) => {
    const own = times.regions[index];
    const cost = context.costOf(index);
    if (own === undefined || cost === undefined || own.visits <= 0) return;
    const seconds = own.visits * cost.pairSeconds;
    total += seconds;
    visits += own.visits;
    if (!cost.calibrated) guessed++;
    // Calls of libraries count, but no filter leaves them out.
    if (activities[index] !== 'computation') return;
    // Without a calibration the times still contain the cost.
    const pure =
      own.inclusiveSeconds - (cost.calibrated ? 0 : (own.visits + own.childEvents) * cost.pairSeconds);
    const severity = shareOf(seconds, base);
    if (seconds <= thresholds.overheadRatio * pure || severity < thresholds.overheadShare) return;
    single.push({
      id: `excessive-overhead:${keys[index] ?? region.name}`,
      kind: 'excessive-overhead',
      title: `Recording ${names[index] ?? ''} costs ${formatPercent(severity)} of ${run.words} (${formatCount(own.visits)} visits × ${formatSeconds(cost.pairSeconds)})`,
      severity,
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
      base,
    });
  });
  const severity = shareOf(total, base);
  if (severity <= thresholds.totalOverheadShare) return single;
  const whole: Property = {
    id: runId,
    kind: 'excessive-overhead',
    title: totalTitle(
      severity,
      run.words,
      `${formatCount(visits)} visits × ${formatSeconds(total / visits)}`,
    ),
    severity,
    confidence: guessed === 0 ? 1 : 0.5,
    evidence: {
      overheadSeconds: total,
      visits,
      pairSeconds: total / visits,
      runSeconds: base.seconds,
      overheadShare: severity,
      // How much longer the run took than without recording; nothing can be said where nothing is left.
      ...(severity < nearlyAll ? { slowdown: 1 / (1 - severity) } : {}),
      thresholdShare: thresholds.totalOverheadShare,
    },
    base,
  };
  return [whole, ...single.map((property) => ({ ...property, refines: runId }))];
}

function totalTitle(severity: number, words: string, sum: string): string {
  return severity >= nearlyAll
    ? `Recording costs nearly all of ${words} (${sum}): the profile shows the measurement, not the program`
    : `Recording costs ${formatPercent(severity)} of ${words} in all (${sum}): the profile is disturbed`;
}
