import { formatSeconds } from '../../core/format';
import type { Experiment } from '../../core/profile/experiment';

/** `tiny · round 2 · run 1` */
export function experimentTitle({ target, iteration, repetition, ranks }: Experiment): string {
  const processes = ranks > 1 ? ` · ${ranks} ranks` : '';
  return `${target} · round ${iteration} · run ${repetition}${processes}`;
}

/** `1.23 s, 24 functions instrumented, 2026-11-21 17:05` */
export function startedText(experiment: Experiment): string {
  const { wallSeconds, instrumented } = experiment;
  return `${formatSeconds(wallSeconds)}, ${instrumented} functions instrumented, ${startTime(experiment)}`;
}

/** `2026-11-21 17:05` */
export function startTime({ startedAt }: Pick<Experiment, 'startedAt'>): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}
