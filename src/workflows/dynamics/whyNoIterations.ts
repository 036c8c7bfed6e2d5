import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { inlinedPhase, phaseFunctions, unknownPhase } from '../../core/selection/phase';
import { loadConfig } from '../../measurement/config/loadConfig';
import { functionRows } from '../studies/functionsFile';
import { targetOfResults } from '../targets/targetOfResults';
import { begunAt } from './newestExperiment';

/**
 * Why results have no iterations although kymo.json names a phase; undefined where it names none. Its marks in the source are not known here.
 * @param folder of a target, a study, a round or an experiment
 */
export async function whyNoIterations(folder: string): Promise<string | undefined> {
  const results = targetOfResults(folder);
  if (results === undefined) return undefined;
  const { workspace, target } = results;
  const loaded = await loadConfig(workspace).catch(() => undefined);
  const phase = loaded?.config.targets.find(({ name }) => name === target)?.phase;
  const rows = phase === undefined ? undefined : await measuredFunctions(folder);
  if (phase === undefined || rows === undefined) return undefined;
  const keys = phaseFunctions({ functions: rows }, phase);
  if (keys.size === 0) return unknownPhase(phase);
  return rows.some(({ key, hasSite }) => hasSite && keys.has(key))
    ? `kymo.json names the phase “${phase}”, which never ran there, or was named after the measurement. Measure again.`
    : inlinedPhase(phase);
}

/** Of the folder's study, or of the newest one below it. */
async function measuredFunctions(
  folder: string,
): Promise<Awaited<ReturnType<typeof functionRows>> | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries.flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));
  below.sort((a, b) => begunAt(path.basename(b)).localeCompare(begunAt(path.basename(a))));
  for (const study of [folder, path.dirname(folder), path.dirname(path.dirname(folder)), ...below]) {
    const rows = await functionRows(study).catch(() => undefined);
    if (rows !== undefined) return rows;
  }
  return undefined;
}
