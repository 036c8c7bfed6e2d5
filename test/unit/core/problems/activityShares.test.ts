import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { PropertyThresholds } from '../../../../src/core/problems/context/thresholds';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import type { Property } from '../../../../src/core/properties/property';

import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const mpi = (name: string, role: string): Call['region'] => ({ name, paradigm: 'mpi', role, file: 'MPI' });
const library = (name: string, paradigm: string): Call['region'] => ({
  name,
  paradigm,
  role: 'function',
  file: 'LIB',
});

/** Bytes of metrics, in the first call path. */
function withBytes(
  profile: Profile,
  metrics: readonly (readonly [Partial<Metric> & { readonly name: string }, number])[],
): Profile {
  const cells = profile.callPaths.count * profile.locations.length;
  return {
    ...profile,
    metrics: [
      ...profile.metrics,
      ...metrics.map(([metric]) => ({ ...standardMetrics.visits, unit: 'bytes', ...metric })),
    ],
    stored: new Map([
      ...profile.stored,
      ...metrics.map(([{ name }, value]) => {
        const column = new Float64Array(cells);
        if (value !== 0) column.set([value, 1024]);
        return [name, column] as const;
      }),
    ]),
  };
}

function totals(profile: Profile, thresholds: Partial<PropertyThresholds> = {}): readonly Property[] {
  return findProperties({ profile: { ...profile, attributes: new Map() }, thresholds }).filter(({ id }) =>
    id.endsWith(':run'),
  );
}

describe('what is not computing', () => {
  const root: Call = {
    region: main,
    seconds: [10],
    calls: [
      { region: mpi('MPI_Send', 'point2point'), seconds: [1], visits: [7] },
      { region: mpi('MPI_Bcast', 'one2all'), seconds: [6.6] },
      { region: mpi('MPI_Comm_dup', 'function'), seconds: [0.5] },
      { region: mpi('MPI_Barrier', 'barrier'), seconds: [0.4] },
      { region: mpi('MPI_Wtime', 'function'), seconds: [0] },
      { region: mpi('MPI_Iprobe', 'function'), seconds: [1.5] },
      { region: library('read', 'io'), seconds: [2], visits: [2048] },
      { region: library('malloc', 'memory'), seconds: [3] },
      { region: library('pthread_join', 'pthread'), seconds: [4] },
    ],
  };
  // 29 s in all; communication has 10 of them.
  const profile = withBytes(runOf(root, 1), [
    [{ name: 'bytes_sent' }, 4096],
    [{ name: 'bytes_read' }, 2048],
    [{ name: 'io_bytes_written' }, 1024],
    [{ name: 'allocation_size' }, 2 ** 30],
  ]);

  it('is a share of elapsed time, also where others are of computing time', () => {
    const computing = runOf(root, 1);
    const found = findProperties({
      profile: { ...computing, metrics: [...computing.metrics, waitingTimeMetric], attributes: new Map() },
    });
    const clocks = (kind: string): readonly (string | undefined)[] => [
      ...new Set(found.filter((property) => property.kind === kind).map(({ base }) => base?.clock)),
    ];
    expect(clocks('communication')).toEqual(['wall']);
    expect(clocks('synchronisation')).toEqual(['wall']);
    expect(clocks('hot-spot')).toEqual(['cpu']);
  });

  it('is told with its types, its calls and its bytes', () => {
    const shares = (seconds: number) => expect.closeTo(seconds / 29, 12) as number;
    expect(totals(profile).map(({ id, title, evidence }) => ({ id, title, evidence }))).toEqual([
      {
        id: 'communication:run',
        title:
          'Communication takes 34.5 % of the run time (22.8 % collective, 6.9 % other, 3.4 % point-to-point, 11 calls, 5 KiB sent)',
        evidence: {
          exclusiveSeconds: 10,
          exclusiveShare: shares(10),
          visits: 11,
          pointToPointShare: shares(1),
          collectiveShare: shares(6.6),
          otherShare: shares(2),
          barrierShare: shares(0.4),
          bytesSent: 5120,
          thresholdShare: 0.05,
        },
      },
      {
        id: 'synchronisation:run',
        title: 'Waiting of threads for each other takes 13.8 % of the run time (1 call)',
        evidence: { exclusiveSeconds: 4, exclusiveShare: shares(4), visits: 1, thresholdShare: 0.05 },
      },
      {
        id: 'memory:run',
        title: 'Allocating and freeing memory takes 10.3 % of the run time (1 call, 1 GiB allocated)',
        evidence: {
          exclusiveSeconds: 3,
          exclusiveShare: shares(3),
          visits: 1,
          bytesAllocated: 2 ** 30 + 1024,
          thresholdShare: 0.05,
        },
      },
      {
        id: 'io:run',
        title: 'Input and output takes 6.9 % of the run time (2048 calls, 3 KiB read, 2 KiB written)',
        evidence: {
          exclusiveSeconds: 2,
          exclusiveShare: shares(2),
          visits: 2048,
          bytesRead: 3072,
          bytesWritten: 2048,
          thresholdShare: 0.05,
        },
      },
    ]);
  });

  it('has the bytes of metrics that add up only', () => {
    const title = (metrics: Parameters<typeof withBytes>[1]): string =>
      totals(withBytes(runOf(root, 1), metrics))
        .find(({ id }) => id === 'io:run')
        ?.title.replace(/.*\(/, '') ?? '';
    expect(title([])).toBe('2048 calls)');
    expect(title([[{ name: 'bytes_read' }, 0]])).toBe('2048 calls)');
    expect(title([[{ name: 'bytes_read', stored: 'derived' }, 5]])).toBe('2048 calls)');
    expect(title([[{ name: 'bytes_read', combine: 'maximum' }, 5]])).toBe('2048 calls)');
    expect(title([[{ name: 'my_bytes_read' }, 5]])).toBe('2048 calls)');
    expect(
      title([
        [{ name: 'bytes_read', combine: 'minimum' }, 5],
        [{ name: 'io_bytes_read' }, 1],
      ]),
    ).toBe('2048 calls, 1 KiB read)');
  });

  it('names no type of communication with less than a twentieth of it', () => {
    const few: Call = {
      region: main,
      seconds: [10],
      calls: [
        { region: mpi('MPI_Bcast', 'one2all'), seconds: [9.5] },
        { region: mpi('MPI_Send', 'point2point'), seconds: [0.5] },
      ],
    };
    expect(totals(runOf(few, 1))[0]?.title).toBe(
      'Communication takes 50.0 % of the run time (47.5 % collective, 2.5 % point-to-point, 2 calls)',
    );
    const less = {
      ...few,
      calls: [
        { region: mpi('MPI_Bcast', 'one2all'), seconds: [9.52] },
        { region: mpi('MPI_Send', 'point2point'), seconds: [0.48] },
      ],
    };
    expect(totals(runOf(less, 1))[0]?.title).toBe(
      'Communication takes 50.0 % of the run time (47.6 % collective, 2 calls)',
    );
  });
});

describe('starting and ending MPI', () => {
  const start = (seconds: number): Call => ({
    region: main,
    seconds: [10 - seconds],
    calls: [
      { region: mpi('MPI_Init', 'function'), seconds: [seconds / 2] },
      { region: mpi('MPI_Finalize', 'function'), seconds: [seconds / 2] },
    ],
  });

  it('is told also where it is small enough to be a part of the whole', () => {
    const found = totals(runOf(start(0.4), 1), { activityShare: 0.01 });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      id: 'start-up:run',
      title:
        'Starting and ending MPI takes 4.0 % of the run time: measure a longer run, if this one is shorter than usual',
      severity: expect.closeTo(0.04, 12) as number,
      evidence: {
        exclusiveSeconds: expect.closeTo(0.4, 12) as number,
        runSeconds: expect.closeTo(10, 12) as number,
        thresholdShare: 0.01,
      },
      base: { leftOut: [] },
    });
    expect(totals(runOf(start(0.4), 1))).toEqual([]);
  });

  it('is a share of the run with it, without what recording cost', () => {
    const profile = { ...runOf(start(4), 1), attributes: new Map<string, string>() };
    const cost = { pairSeconds: 0.2, insideSeconds: 0.125, outsideSeconds: 0.075 };
    const found = findProperties({ profile, calibration: { probe: cost, entry: cost } }).find(
      ({ id }) => id === 'start-up:run',
    );
    // `main` is the one function that is recorded.
    const recording = 0.125;
    expect(found?.base?.leftOut).toEqual([
      { what: 'recording', seconds: expect.closeTo(recording, 12) as number },
    ]);
    expect(found?.base?.seconds).toBeCloseTo(10 - recording, 12);
    expect(found?.severity).toBeCloseTo(4 / (10 - recording), 12);
  });
});
