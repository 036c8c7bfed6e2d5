/**
 * One sentence about a series, from letters, places and levels only, never from what the metric is (specification of performance dynamics,
 * §7.3). Iterations count from 1.
 */
import type { Episode, Pattern } from './signal';

interface Phrase {
  readonly at: number;
  readonly text: string;
}

/** More narrow peaks than these are named together. */
const mostNamed = 3;

/** `patterns` with improvements; both by position. */
export function sentenceOf(
  episodes: readonly Episode[],
  patterns: readonly Pattern[],
  length: number,
): string {
  if (episodes.every(({ letter }) => letter === 'G') && patterns.length === 0) return 'flat';
  const bumps = patterns.filter(({ type }) => type === 'peak');
  const runs = patterns.filter(
    (pattern) => pattern.type !== 'peak' && !bumps.some((bump) => isFlank(pattern, bump)),
  );
  const phrases: Phrase[] = [
    ...bumpPhrases(
      bumps.filter(({ improvement }) => improvement === undefined),
      'peak',
    ),
    ...bumpPhrases(
      bumps.filter((bump) => bump.improvement === true && !runs.some((run) => contains(run, bump))),
      'valley',
    ),
    ...runs.map((run) => runPhrase(run, episodes, length)),
    ...flatPhrases(
      episodes,
      [...runs, ...bumps.filter(({ from, to }) => to - from + 1 > length / 32)],
      length,
    ),
  ];
  if (phrases.length === 0) return 'no clear pattern';
  phrases.sort((a, b) => a.at - b.at);
  return phrases.map(({ text }) => text).join(', ');
}

/** Whether a run is the rise to a peak or the fall from it (or the mirror image at a valley): the peak's phrase covers it. */
function isFlank({ core = [0, 0] }: Pattern, bump: Pattern): boolean {
  const width = bump.to - bump.from + 1;
  const near = core[0] <= bump.to + width && core[1] >= bump.from - width;
  return near && core[1] - core[0] <= 2 * width;
}

function contains(outer: Pattern, inner: Pattern): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function bumpPhrases(bumps: readonly Pattern[], word: 'peak' | 'valley'): Phrase[] {
  const first = bumps[0];
  if (first === undefined) return [];
  const place = ({ at = 0 }: Pattern): string => String(at + 1);
  if (bumps.length > mostNamed) {
    const named = bumps.slice(0, mostNamed).map(place).join(', ');
    return [{ at: first.from, text: `${bumps.length} ${word}s (near ${named}, …)` }];
  }
  return bumps.map((bump) => ({
    at: bump.from,
    text:
      bump.from === bump.to
        ? `${word} at ${place(bump)}`
        : `${word} near ${place(bump)} (${span(bump.from, bump.to)})`,
  }));
}

function runPhrase(run: Pattern, episodes: readonly Episode[], length: number): Phrase {
  const [from, to] = run.core ?? [run.from, run.to];
  const falls = run.improvement === true;
  const ratio = timesOf(run);
  if (run.type === 'step') {
    return { at: from, text: `step ${falls ? 'decrease' : 'increase'} at ${to + 1}${ratio}` };
  }
  const verb = falls ? 'falls' : 'rises';
  return { at: from, text: `${verb}${mannerOf(run, episodes, length)} ${span(from, to)}${ratio}` };
}

/** Level after the run relative to that before it, where that is a number that says something. */
function timesOf({ levels: [before, after] }: Pattern): string {
  const ratio = after / before;
  return before > 0 && ratio > 0.001 && ratio < 1000 ? ` (×${Number(ratio.toPrecision(2))})` : '';
}

function mannerOf({ from, to }: Pattern, episodes: readonly Episode[], length: number): string {
  let straight = 0;
  let accelerating = 0;
  let slowing = 0;
  for (const episode of episodes) {
    const shared = Math.min(to, episode.to) - Math.max(from, episode.from) + 1;
    if (shared <= 0) continue;
    if ('EF'.includes(episode.letter)) straight += shared;
    else if ('DB'.includes(episode.letter)) accelerating += shared;
    else if ('AC'.includes(episode.letter)) slowing += shared;
  }
  const all = straight + accelerating + slowing;
  if (straight > all / 2) return to - from + 1 > length / 2 ? ' slowly' : ' steadily';
  if (accelerating > 0.75 * all) return ' accelerating';
  return slowing > 0.75 * all ? ' slowing' : '';
}

/** Flat stretches of some length outside of what is named; little moves that have no name do not part them. */
function flatPhrases(episodes: readonly Episode[], named: readonly Pattern[], length: number): Phrase[] {
  const least = Math.max(3, length / 16);
  const isNamed = (from: number, to: number): boolean =>
    named.some((pattern) => {
      const [first, last] = pattern.core ?? [pattern.from, pattern.to];
      return first < to && last > from;
    });
  const stretches: { from: number; to: number }[] = [];
  for (const { letter, from, to } of episodes) {
    if (letter !== 'G' || isNamed(from, to)) continue;
    const last = stretches.at(-1);
    if (last !== undefined && from - last.to <= least && !isNamed(last.to, from)) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches
    .filter(({ from, to }) => to - from + 1 >= least)
    .map(({ from, to }) => {
      const isAll = named.length === 0 && to - from + 1 >= 0.9 * length;
      return { at: from, text: isAll ? 'flat' : `flat ${span(from, to)}` };
    });
}

function span(from: number, to: number): string {
  return `${from + 1}-${to + 1}`;
}
