import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OfferedScorep } from '../../../src/core/scorepOptions/option';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import { useGuard } from '../../../src/editor/surfaces/panels/scorepFlags/requests';
import { scorepCatalogue } from '../../../src/measurement/backends/scorep/installation/catalogue';
import { instrumenterOptions } from '../../../src/measurement/backends/scorep/installation/instrumenterOptions';
import { parseConfigVariables } from '../../../src/measurement/backends/scorep/installation/offered';
import { nothing } from '../../../src/protocol/guards';
import type { ScorepFlagsRequests, ScorepFlagsShown } from '../../../src/protocol/scorepFlags';

const recorded = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../data/scorep', name), 'utf8');

const { names, threads, mpps } = instrumenterOptions(recorded('scorep-help.txt'));

/** A real Score-P 8.4 without PAPI, SHMEM and OMPT. */
export const offered: OfferedScorep = {
  path: '/opt/scorep/bin/scorep',
  version: '8.4',
  flags: names,
  paradigms: [...threads, ...mpps, 'posix'],
  variables: parseConfigVariables(recorded('config-vars-full.txt')),
};

export const shown: ScorepFlagsShown = {
  folder: 'file:///home/user/nbody',
  catalogue: scorepCatalogue,
  targets: [
    {
      name: 'nbody',
      backend: 'scorep',
      instrumenter: 'scorep',
      settings: {
        flags: ['--nomemory', '--cuda'],
        filtering: 'hybrid',
        environment: { SCOREP_METRIC_RUSAGE: 'ru_maxrss', SCOREP_MACHINE_NAME: '<b>node</b>' },
      },
    },
    {
      name: 'other',
      backend: 'auto',
      instrumenter: 'scorep',
      settings: { flags: ['--user'], filtering: 'run-time', environment: {} },
    },
  ],
  installations: { scorep: { offered } },
  facts: { files: 12, userMacros: true, mpi: true, openmp: false, pthreads: false },
  languages: ['c', 'c++'],
};

export type Asked = readonly [name: keyof ScorepFlagsRequests, parameters: unknown];

/** The extension's answers; what was asked is noted. */
export function answersOf(now: () => ScorepFlagsShown, asked: Asked[]): Answers<ScorepFlagsRequests> {
  return {
    open: { guard: nothing, answer: () => now() },
    use: {
      guard: useGuard,
      answer: (parameters) => {
        asked.push(['use', parameters]);
        return { written: true };
      },
    },
    openConfiguration: {
      guard: nothing,
      answer: () => {
        asked.push(['openConfiguration', {}]);
        return { opened: true };
      },
    },
  };
}
