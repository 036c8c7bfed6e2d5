import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  measurementEnvironment,
  moreMemoryBytes,
  totalMemoryBytes,
} from '../../../../../../src/measurement/backends/scorep/installation/measurementEnvironment';

const plain = { results: '/study/run/scorep', totalMemoryBytes: 256_000_000, environment: {} };

describe('variables of a measured run', () => {
  it('ask for a profile in a folder of its own, with all instances of dynamic regions', () => {
    expect(measurementEnvironment(plain)).toEqual({
      SCOREP_ENABLE_PROFILING: 'true',
      SCOREP_ENABLE_TRACING: 'false',
      SCOREP_PROFILING_FORMAT: 'cube4',
      SCOREP_PROFILING_BASE_NAME: 'profile',
      SCOREP_PROFILING_ENABLE_CLUSTERING: 'false',
      SCOREP_OVERWRITE_EXPERIMENT_DIRECTORY: 'true',
      SCOREP_TOTAL_MEMORY: '256000000',
      SCOREP_FILTERING_FILE: '',
      SCOREP_EXPERIMENT_DIRECTORY: '/study/run/scorep',
    });
  });

  it("are the user's where the user says something, but for the folder", () => {
    const environment = {
      SCOREP_TIMER: 'clock_gettime',
      SCOREP_TOTAL_MEMORY: '1G',
      SCOREP_EXPERIMENT_DIRECTORY: 'elsewhere',
    };
    expect(measurementEnvironment({ ...plain, filter: '/f', environment })).toMatchObject({
      SCOREP_TIMER: 'clock_gettime',
      SCOREP_TOTAL_MEMORY: '1G',
      SCOREP_FILTERING_FILE: '/f',
      SCOREP_EXPERIMENT_DIRECTORY: '/study/run/scorep',
    });
  });

  it("put gcc's unwinder before the one that Score-P brings, for programs that throw", () => {
    expect(measurementEnvironment({ ...plain, slowExceptions: true }).LD_PRELOAD).toBe('libgcc_s.so.1');
    expect(measurementEnvironment({ ...plain, slowExceptions: true, preload: '/lib/a.so' }).LD_PRELOAD).toBe(
      '/lib/a.so:libgcc_s.so.1',
    );
    expect('LD_PRELOAD' in measurementEnvironment(plain)).toBe(false);
  });
});

describe("Score-P's memory", () => {
  /** Smallest SCOREP_TOTAL_MEMORY (kB) with which a real Score-P 8.4 ran: call paths, threads, further metrics. */
  const found: readonly (readonly [number, number, number, number])[] = [
    [3, 1, 0, 62],
    [1003, 1, 0, 269],
    [5003, 1, 0, 1221],
    [1003, 1, 2, 366],
    [1003, 1, 4, 464],
    [1004, 1, 0, 281],
    [4, 4, 0, 134],
    [1004, 4, 0, 843],
  ];

  it('is enough for what was tried with the real one, and not a hundred times too much for larger ones', () => {
    for (const [callPaths, locationsPerProcess, metrics, kilobytes] of found) {
      const scale = 10_000;
      const bytes = totalMemoryBytes({ callPaths: callPaths * scale, locationsPerProcess, metrics });
      const needed = Math.min(4e9, kilobytes * 1024 * (callPaths > 1000 ? scale : 1));
      expect(bytes).toBeGreaterThanOrEqual(Math.min(needed, 4e9));
    }
  });

  it('grows with the profile, between what costs nothing and what Score-P accepts', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000_000),
        fc.integer({ min: 1, max: 256 }),
        fc.nat(20),
        (callPaths, threads, metrics) => {
          const size = { callPaths, locationsPerProcess: threads, metrics };
          const bytes = totalMemoryBytes(size);
          expect(bytes).toBeGreaterThanOrEqual(totalMemoryBytes());
          expect(bytes).toBeLessThan(2 ** 32);
          expect(totalMemoryBytes({ ...size, callPaths: callPaths + 1000 })).toBeGreaterThanOrEqual(bytes);
        },
      ),
    );
  });

  it('is raised until there is no more', () => {
    expect(moreMemoryBytes(256_000_000)).toBe(1_024_000_000);
    expect(moreMemoryBytes(1_024_000_000)).toBe(4_000_000_000);
    expect(moreMemoryBytes(4_000_000_000)).toBeUndefined();
  });
});
