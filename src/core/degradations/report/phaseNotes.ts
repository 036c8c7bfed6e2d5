/** What the times of the phase are without, and what they contain, as sentences. */
import { formatRoundPercent } from '../../format';
import { shareOf } from '../../rules/share';
import { elapsedMetric, isPhaseTime, preemptedMetric } from '../../series/series';
import { allRanks } from '../places/phaseTimes';
import type { PlaceOfRun } from './report';

/** Share of the time on the wall from which on it is said that pre-empted time was left out. */
const leastPreempted = 0.01;

export function preemptedNote(places: readonly PlaceOfRun[]): readonly string[] {
  let [preempted, elapsed] = [0, 0];
  for (const { metrics, context } of places) {
    if (context.rank === allRanks) continue;
    preempted += metrics.get(preemptedMetric)?.sum ?? 0;
    elapsed += metrics.get(elapsedMetric)?.sum ?? 0;
  }
  const share = shareOf(preempted, elapsed);
  if (!(share >= leastPreempted)) return [];
  return [
    `Pre-empted time (${formatRoundPercent(share)} of the time on the wall) is no part of the times of the phase and of what it computes. In series files, functions that wait for a disk, a network or a device have to be of the kind “io”: otherwise, what they wait counts as pre-empted.`,
  ];
}

/** Share of the phase from which on shares of functions clearly differ by the cost of recording. */
const leastRecording = 0.05;

export function recordingNote(places: readonly PlaceOfRun[]): readonly string[] {
  let [recording, phase] = [0, 0];
  for (const { metrics, context } of places) {
    if (context.rank === allRanks || context.thread !== 0) continue;
    recording += metrics.get('overhead')?.sum ?? 0;
    if (isPhaseTime(context)) phase += metrics.get('time')?.sum ?? 0;
  }
  const share = shareOf(recording, phase);
  if (!(share >= leastRecording)) return [];
  return [
    `The times of iterations contain the cost of recording, at least ${formatRoundPercent(share)} of the time of the phase: functions with many visits have larger shares here than in the profile, which is without it. A refined selection costs less.`,
  ];
}
