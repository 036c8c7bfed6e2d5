// What `drive.mjs` wrote while it ran, as counts: also when it was ended before all scenarios had run.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @param file lines of JSON: `begun` (again for a second attempt), `passed` and `failed` with a check, `finished`
 * @param planned names of the scenarios
 * @returns counts of the last attempts; `flaky`: checks that failed first, in scenarios that passed in the second attempt;
 *   `missing`: scenarios that did not run to their end
 */
export function readResults(file, planned) {
  const attempts = new Map(
    planned.map((name) => [name, { passed: 0, failed: [], before: [], finished: false }]),
  );
  for (const { event, scenario, check } of eventsOf(file)) {
    const attempt = attempts.get(scenario);
    if (attempt === undefined) continue;
    if (event === 'begun')
      attempts.set(scenario, { passed: 0, failed: [], before: attempt.failed, finished: false });
    if (event === 'passed') attempt.passed += 1;
    if (event === 'failed') attempt.failed.push(check);
    if (event === 'finished') attempt.finished = true;
  }
  const all = [...attempts.values()];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed.length, 0),
    flaky: all.flatMap(({ failed, before, finished }) => (finished && failed.length === 0 ? before : [])),
    missing: [...attempts].flatMap(([name, { finished }]) => (finished ? [] : [name])),
  };
}

function eventsOf(file) {
  if (!existsSync(file)) return [];
  // The last line may be cut off when the writer was killed.
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
