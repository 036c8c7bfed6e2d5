import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import { cubeGuards as guards } from '../../../src/editor/surfaces/panels/cube/requests';
import { ProfileBuilder } from '../../profileBuilder';
import { standardMetrics } from '../../../src/core/profile/metrics';
import type { Profile } from '../../../src/core/profile/profile';
import type { CubeRequests } from '../../../src/protocol/cube';
import { cubeTopology } from '../../../src/workflows/views/cube/cubeTopology';
import {
  cubeCallPaths,
  cubeLocations,
  cubeRegions,
  cubeSystem,
  cubeTotal,
  cubeValues,
  openCubeView,
} from '../../../src/workflows/views/cube/cubeView';

export interface Asked {
  readonly name: keyof CubeRequests;
  readonly parameters: unknown;
}

/** The engine's own answers of a file, without the editor between. */
export function answersOf(file: () => string, asked: Asked[]): Answers<CubeRequests> {
  const note = <Parameters, Result>(
    name: keyof CubeRequests,
    answer: (parameters: Parameters) => Promise<Result> | Result,
  ): ((parameters: Parameters) => Promise<Result> | Result) => {
    return (parameters) => {
      asked.push({ name, parameters });
      return answer(parameters);
    };
  };
  return {
    open: { guard: guards.open, answer: note('open', () => openCubeView(file())) },
    callPaths: {
      guard: guards.callPaths,
      answer: note('callPaths', (piece) => cubeCallPaths({ file: file(), ...piece })),
    },
    regions: {
      guard: guards.regions,
      answer: note('regions', (piece) => cubeRegions({ file: file(), ...piece })),
    },
    system: {
      guard: guards.system,
      answer: note('system', (piece) => cubeSystem({ file: file(), ...piece })),
    },
    topology: {
      guard: guards.topology,
      answer: note('topology', (piece) => cubeTopology({ file: file(), ...piece })),
    },
    values: {
      guard: guards.values,
      answer: note('values', (piece) => cubeValues({ file: file(), ...piece })),
    },
    total: {
      guard: guards.total,
      answer: note('total', (question) => cubeTotal({ file: file(), ...question })),
    },
    locations: {
      guard: guards.locations,
      answer: note('locations', ({ minus, callPaths, exclusive, ...question }) =>
        cubeLocations({
          file: file(),
          ...question,
          minus: [...minus],
          selected: Array.from(callPaths, (callPath, at) => ({ callPath, exclusive: exclusive[at] === 1 })),
        }),
      ),
    },
    openSource: { guard: guards.openSource, answer: note('openSource', () => ({ opened: true })) },
    save: { guard: guards.save, answer: note('save', () => ({ saved: true })) },
    act: { guard: guards.act, answer: note('act', () => ({})) },
  };
}

export const hostileName = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

/** Metrics in a tree, a derived one, two nodes with two processes of two threads; names that are hostile. */
export function smallProfile(): Profile {
  const builder = new ProfileBuilder()
    .metric(standardMetrics.visits)
    .metric(standardMetrics.time)
    .metric({
      ...standardMetrics.time,
      name: 'mpi',
      displayName: 'MPI',
      description: 'Time in MPI',
      parent: 1,
    })
    .metric({
      name: 'ratio',
      displayName: 'Ratio',
      unit: '',
      dtype: 'DOUBLE',
      stored: 'derived',
      combine: 'sum',
      description: '',
      derivation: {
        type: 'POSTDERIVED',
        expressions: new Map([['cubepl', 'metric::mpi() / metric::time()']]),
      },
    });
  const machine = builder.systemNode({ name: 'cluster', kind: 'machine' });
  const locations: number[] = [];
  const nodes = [0, 1].map((node) =>
    builder.systemNode({ name: `node${node}`, kind: 'node', parent: machine }),
  );
  for (let rank = 0; rank < 4; rank++) {
    const parent = nodes[rank >> 1] ?? machine;
    const process = builder.systemNode({ name: `MPI Rank ${rank}`, kind: 'process', rank, parent });
    for (let thread = 0; thread < 2; thread++)
      locations.push(builder.location({ name: `thread ${thread}`, rank, thread, process, kind: 'thread' }));
  }
  const region = (name: string, file?: string): number =>
    builder.region({
      name,
      paradigm: name.startsWith('MPI') ? 'mpi' : 'compiler',
      role: 'function',
      ...(file === undefined ? {} : { file, firstLine: 10 }),
    });
  const main = builder.callPath(undefined, region('main', '/src/main.cpp'));
  const solve = builder.callPath(
    main,
    region('solve(std::vector<double, std::allocator<double> >&)', '/src/solve.cpp'),
  );
  const kernel = builder.callPath(solve, region('kernel', '/src/solve.cpp'));
  const wait = builder.callPath(solve, region('MPI_Allreduce'));
  const hostile = builder.callPath(main, region(hostileName, '/src/evil.cpp'));
  locations.forEach((location, at) => {
    builder
      .set('time', main, location, 10 + at)
      .set('time', solve, location, 8 + at)
      .set('time', kernel, location, 6)
      .set('time', wait, location, 1 + at)
      .set('time', hostile, location, 0.5)
      .set('mpi', main, location, 1 + at)
      .set('mpi', solve, location, 1 + at)
      .set('mpi', wait, location, 1 + at);
    for (const [path, visits] of [
      [main, 1],
      [solve, 10],
      [kernel, 100],
      [wait, 10],
      [hostile, 3],
    ] as const)
      builder.set('visits', path, location, visits);
  });
  return builder.build();
}

/** Many of everything. */
export function largeProfile(callPaths: number, locations: number): Profile {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const machine = builder.systemNode({ name: 'machine', kind: 'machine' });
  const owners = Array.from({ length: Math.ceil(locations / 8) }, (_, rank) =>
    builder.systemNode({ name: `MPI Rank ${rank}`, kind: 'process', rank, parent: machine }),
  );
  const threads = Array.from({ length: locations }, (_, at) =>
    builder.location({
      name: `thread ${at % 8}`,
      rank: at >> 3,
      thread: at % 8,
      process: owners[at >> 3] ?? 0,
      kind: 'thread',
    }),
  );
  const regions = Array.from({ length: 2000 }, (_, at) =>
    builder.region({
      name: at === 0 ? 'main' : `ns::Class${at % 97}<std::vector<double> >::method${at}(int)`,
      file: '/src/file.cpp',
      firstLine: at + 1,
      paradigm: 'compiler',
      role: 'function',
    }),
  );
  const paths: number[] = [];
  for (let at = 0; at < callPaths; at++)
    paths.push(builder.callPath(at === 0 ? undefined : paths[(at - 1) >> 2], regions[at % 2000] ?? 0));
  for (const [at, path] of paths.entries()) {
    const location = threads[at % threads.length] ?? 0;
    builder.set('visits', path, location, 1 + (at % 100)).set('time', path, location, 1 / (at + 1));
  }
  return builder.build();
}

/**
 * The small profile with processes × threads as Score-P writes them, a cartesian communicator whose processes have places in a periodic
 * grid, and topologies that cannot be shown or only in part.
 */
export function topologyProfile(): Profile {
  const profile = smallProfile();
  const processes = profile.system.flatMap(({ rank }, node) => (rank === undefined ? [] : [node]));
  return {
    ...profile,
    topologies: [
      {
        name: 'Process x Thread',
        dimensions: [
          { name: 'Process', size: 4, periodic: false },
          { name: 'Thread', size: 2, periodic: false },
        ],
        coordinates: new Map(profile.locations.map(({ rank, thread }, at) => [at, [rank, thread]])),
      },
      {
        name: 'MPI_COMM_CART',
        dimensions: [
          { name: 'x', size: 2, periodic: true },
          { size: 3, periodic: false },
          { name: 'z', size: 2, periodic: false },
        ],
        coordinates: new Map([[7, [2, 0, 0]]]),
        nodeCoordinates: new Map(processes.map((node, rank) => [node, [rank % 2, rank >> 1, rank % 2]])),
      },
      {
        name: hostileName,
        dimensions: [
          { name: 'x', size: 4_000_000_000, periodic: false },
          { name: 'y', size: 4_000_000_000, periodic: false },
        ],
        coordinates: new Map([[0, [3_999_999_999, 1]]]),
      },
      {
        name: 'nothing',
        dimensions: [{ name: 'x', size: 0, periodic: false }],
        coordinates: new Map([[0, [0]]]),
      },
    ],
  };
}
