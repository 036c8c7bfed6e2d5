/**
 * Prints times in milliseconds and their bars as text below `title`, or as JSON together with `facts`.
 *
 * @param rows `{ what, bar?, values }` each
 */
export function report(rows, { json, title, facts = {} }) {
  const results = rows.map(summary);
  if (json) {
    console.log(JSON.stringify({ ...facts, results }, undefined, 2));
    return;
  }
  console.log(title);
  for (const { what, bar, median, p95, worst, count } of results)
    console.log(
      `${what}: median ${median.toFixed(1)} ms, 95 % below ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${count}` +
        (bar === undefined ? '' : `; bar ${bar} ms${median > bar ? '  EXCEEDS THE BAR' : ''}`),
    );
}

function summary({ what, bar, values }) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { what, bar, median: at(0.5), p95: at(0.95), worst: sorted.at(-1), count: sorted.length };
}
