// A measurement of several ranks as `kymo measure` leaves it, with exact numbers in place of measured ones: nothing here needs MPI.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { product } from './largeProfile.mjs';
import { writeStudy } from './studies.mjs';

const startedAt = '2026-11-24T10:00:00.000Z';
/** Seconds of each of the four ranks, with what is called; all of them wait, rank 0 most. */
const calls = [
  { name: 'main', seconds: [10, 10, 10, 10] },
  { name: 'initial', caller: 'main', seconds: [2, 2, 2, 2] },
  { name: 'sweep', caller: 'main', seconds: [7, 7, 7, 7] },
  { name: 'MPI_Recv', caller: 'sweep', seconds: [5, 3, 3, 3] },
];

/**
 * Writes a complete study of `tiny` whose `sweep` waits in MPI_Recv for 35.0 % of the run, and rank 0 for half of it.
 * @param places first line of each function, 1-based, in the file `source` of the workspace
 * @returns the profile
 */
export async function writeWaitingStudy(workspace, source, places) {
  const { ProfileBuilder, standardMetrics, writeCube, writeSources } = await product();
  const file = path.resolve(workspace, source);
  const functions = calls
    .filter(({ name }) => name in places)
    .map(({ name, seconds }) => ({
      ...{ key: name, name, file, line: places[name], visits: 4 },
      inclusiveShare: seconds[0] / 10,
    }));
  const directory = writeStudy(workspace, { target: 'tiny', functions, startedAt });
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const threads = [0, 1, 2, 3].map((rank) => {
    const owner = builder.systemNode({ name: `MPI Rank ${rank}`, kind: 'process', rank });
    return builder.location({ name: 'Master thread', rank, thread: 0, kind: 'thread', process: owner });
  });
  const paths = new Map();
  for (const { name, caller, seconds } of calls) {
    const region = builder.region(
      name in places
        ? { name, file, firstLine: places[name], paradigm: 'compiler', role: 'function' }
        : { name, file: 'MPI', paradigm: 'mpi', role: 'point2point' },
    );
    const at = builder.callPath(paths.get(caller), region);
    paths.set(name, at);
    for (const rank of threads) builder.set('visits', at, rank, 1).set('time', at, rank, seconds[rank]);
  }
  const folder = path.join(directory, 'i0', 'measured.p4.r1');
  mkdirSync(folder, { recursive: true });
  const profile = path.join(folder, 'profile.cubex');
  writeFileSync(profile, writeCube(builder.build()));
  const experiment = {
    ...{ kymoExperiment: 1, target: 'tiny', study: path.basename(directory), iteration: 0, repetition: 1 },
    ...{ variant: 'measured', parameters: {}, ranks: 4, command: ['./tiny'], host: 'here' },
    ...{ compiler: 'c++', buildId: '', startedAt, wallSeconds: 10, exitStatus: 0, instrumented: 3 },
  };
  writeFileSync(path.join(folder, 'experiment.json'), JSON.stringify(experiment));
  await writeSources(directory, [file]);
  return profile;
}
