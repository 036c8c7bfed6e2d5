import { formatPercent, formatSeconds } from '../format';
import type { Profile } from '../profile/profile';
import { clockWords, type CostBase } from './runTime';

/** In shorter runs, clock ticks and other work of the machine take percents of the time. */
const tellingSeconds = 0.1;
/** Share of the time in which threads wanted a processor from which a note says that the machine was busy. */
export const loadedShare = 0.05;

/**
 * Part (0…1) of the time in which the recorded threads of a run could have computed, and others had the processor. @param twinSeconds CPU time of the
 * run that took turns with it and does not count as other work
 */
export function preemptedShare({ attributes }: Pick<Profile, 'attributes'>, twinSeconds = 0): number {
  const seconds = (name: string): number => Number(attributes.get(`kymo::${name}`) ?? 0);
  const preempted = Math.max(0, seconds('preemptedSeconds') - twinSeconds);
  return preempted > 0 ? preempted / (preempted + seconds('recordedCpuSeconds')) : 0;
}

/** Where it matters: how much of its time a run had no processor. */
export function preemptionSentence(profile: Pick<Profile, 'attributes'>): string | undefined {
  const share = preemptedShare(profile);
  return share < loadedShare
    ? undefined
    : `Threads were pre-empted for ${formatPercent(share)} of the time in which they could have run.`;
}

/** Why the runs of a study are not reliable, and what to do. @param preempted the worst share of all runs */
export function explainConditions(base: CostBase, preempted: number): readonly string[] {
  return [...explainShortRun(base), ...explainPreemption(preempted)];
}

/** Whether a run of this time is too short to distinguish overheads and small shares from noise. */
export function isTooShort(seconds: number): boolean {
  return seconds < tellingSeconds;
}

function explainShortRun({ clock, seconds }: CostBase): readonly string[] {
  if (!isTooShort(seconds)) return [];
  const time = `${formatSeconds(seconds)} of ${clockWords(clock)}`;
  return [
    `A run takes only ${time}: too short to tell overheads and small shares from noise. Give the program a larger input, so that it computes for a second or more (“arguments” in kymo.json, or --parameter), or, where there is none, more repetitions (--repetitions 10).`,
  ];
}

function explainPreemption(share: number): readonly string[] {
  if (!(share >= loadedShare)) return [];
  return [
    `The program’s threads were pre-empted for up to ${formatPercent(share)} of the time in which they could have run: the machine is busy with other work. That time is left out of the profiles; wall times are longer than on a quiet machine.`,
  ];
}
