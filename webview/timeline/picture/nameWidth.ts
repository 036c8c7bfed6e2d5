import type { TimelineRow } from '../../../src/core/timeline/pieces';

const padding = 22;
const mostPixels = 220;
const least = 'depth 10';

/** Pixels that the names of all rows need, within reason: the longest one is measured, not all. */
export function nameWidth(rows: readonly TimelineRow[]): number {
  let longest = least;
  for (const { name } of rows) if (name.length > longest.length) longest = name;
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return mostPixels;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return Math.round(Math.min(mostPixels, context.measureText(longest).width + padding));
}
