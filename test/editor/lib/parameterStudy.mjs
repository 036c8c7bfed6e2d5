// A study over parameters as `kymo study` leaves it, with exact numbers in place of measured ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { product } from './largeProfile.mjs';

const name = 'study-2026-11-26T10-00-00';

/**
 * Writes a complete study of `tiny` over the number of ranks.
 * @param functions of a file of the workspace: name, first and last line, and seconds at a number of ranks; `file` names another one
 * @returns the folder of the study
 */
export async function writeParameterStudy(workspace, source, functions) {
  const { ProfileBuilder, standardMetrics, writeCube, writeSources } = await product();
  const directory = path.join(workspace, '.kymo/tiny', name);
  const points = [2, 4, 8, 16, 32].map((p) => {
    const runs = [1, 2, 3].map((repetition) => {
      const folder = `measured.p${p}.r${repetition}`;
      const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
      const owner = builder.systemNode({ name: 'process', kind: 'process', rank: 0 });
      const thread = builder.location({ name: 'thread', rank: 0, thread: 0, kind: 'thread', process: owner });
      const seconds = functions.map((one) => one.seconds(p) * (1 + (repetition - 2) / 1000));
      let root;
      functions.forEach(({ name, file = source, line, endLine }, n) => {
        const place = { file: path.resolve(workspace, file), firstLine: line, lastLine: endLine };
        const region = builder.region({ name, ...place, paradigm: 'compiler', role: 'function' });
        const at = builder.callPath(root, region);
        root ??= at;
        // Inclusive: the others are called by the first one.
        const time = n === 0 ? seconds.reduce((sum, one) => sum + one, 0) : seconds[n];
        builder.set('visits', at, thread, 1).set('time', at, thread, time);
      });
      mkdirSync(path.join(directory, folder), { recursive: true });
      writeFileSync(path.join(directory, folder, 'profile.cubex'), writeCube(builder.build()));
      return { repetition, folder, wallSeconds: 1, spentSeconds: 1 };
    });
    return { coordinates: { p: String(p) }, runs, planned: true };
  });
  const study = { kymoParameterStudy: 1, target: 'tiny', study: name, startedAt: '2026-11-26T10:00:00.000Z' };
  const built = { variant: 'measured', fingerprint: '0', buildId: '', selection: '' };
  const plan = { design: 'all', repetitions: 3, seed: 1, ranksName: 'p', points };
  writeFileSync(
    path.join(directory, 'parameter-study.json'),
    JSON.stringify({ ...study, ...built, ...plan }),
  );
  await writeSources(directory, [path.resolve(workspace, source)]);
  return directory;
}
