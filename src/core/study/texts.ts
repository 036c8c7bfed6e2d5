import { formatSeconds } from '../format';
import type { StudyCoordinates } from './points';

/** `p = 4, n = 100` */
export function pointName(coordinates: StudyCoordinates): string {
  return Object.entries(coordinates)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** `nbody: 24 of 25 points measured, 1 failed; 72 runs of 3.2 s together.` */
export function studiedSentence(result: {
  readonly target: string;
  readonly done: number;
  readonly failed: number;
  readonly remaining: number;
  readonly runs: number;
  readonly runSeconds: number;
}): string {
  const { target, done, failed, remaining, runs, runSeconds } = result;
  const all = done + failed + remaining;
  return `${target}: ${done} of ${all} points measured${failed > 0 ? `, ${failed} failed` : ''}${remaining > 0 ? `, ${remaining} remaining` : ''}; ${runs} runs of ${formatSeconds(runSeconds)} together.`;
}
