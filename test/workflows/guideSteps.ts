import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSlurm, type Slurm } from '../slurm';

/** A documented command, the folder that it runs in, and what makes it short here: later options replace the same before them. */
export interface Step {
  readonly line: string;
  readonly in: string;
  readonly more?: string;
  readonly before?: () => void | Promise<void>;
  readonly statuses?: readonly number[];
  /** What is printed. */
  readonly shows?: RegExp;
}

/** What steps prepare folders with. */
export interface Preparation {
  /** A path below the folder of all steps. */
  readonly at: (...parts: readonly string[]) => string;
  readonly example: (name: string) => void;
  /** A program with a `kymo.json`, with the functions `work` and `step`. */
  readonly configured: (folder: string) => void;
}

const fixtures = path.resolve(import.meta.dirname, '../fixtures');

const solver = `#include <mpi.h>
#include <stdio.h>
double __attribute__((noinline)) work(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / (i % 97 + 1);
  return sum;
}
int main(int count, char **words) {
  double sum = 0;
  MPI_Init(&count, &words);
  for (int i = 0; i < 60; ++i) sum += work(100000);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%g\\n", sum);
  MPI_Finalize();
  return 0;
}
`;

let slurm: Slurm | undefined;

/** Ends the Slurm that steps started. */
export async function stopSlurm(): Promise<void> {
  await slurm?.stop();
}

/** `srun` of a whole cluster, in the words of this machine; its `mpirun` where it has no Slurm. */
export function onThisMachine(line: string): string {
  return line.replace('srun -n 64', () => (slurm === undefined ? 'mpirun -n 2' : 'srun -n 2'));
}

const short = '--iterations 1 --repetitions 1';

/** The commands of the guides that lead through a whole task, in the order in which they are run. */
export function guideSteps({
  at,
  example,
  configured,
}: Preparation): Readonly<Record<string, readonly Step[]>> {
  const onCluster = async (): Promise<void> => {
    mkdirSync(at('cluster'));
    writeFileSync(at('cluster', 'solver.c'), solver);
    const rules =
      'solver: solver.c\n\t$(CC) -O2 -g solver.c -o solver\nclean:\n\trm -f solver\n.PHONY: clean\n';
    writeFileSync(at('cluster', 'Makefile'), `CC = mpicc\n${rules}`);
    slurm = await startSlurm();
  };
  /** A profile and a trace of Score-P, and a filter, beside a program. */
  const withScoreP = (): void => {
    configured('scorep');
    cpSync(path.join(fixtures, 'cube4/tiny.cubex'), at('scorep', 'profile.cubex'));
    for (const [from, to] of [
      ['every.otf2', 'traces.otf2'],
      ['every.def', 'traces.def'],
      ['every', 'traces'],
    ] as const)
      cpSync(path.join(fixtures, 'otf2/every', from), at('scorep', to), { recursive: true });
    writeFileSync(
      at('scorep', 'scorep.filter'),
      'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE work MANGLED main\nSCOREP_REGION_NAMES_END\n',
    );
  };
  const points = '--ranks 1,2,3,4,5 --design one-at-a-time --repetitions 1';
  return {
    'docs/cluster.md': [
      { line: 'kymo doctor', in: '.', shows: /Everything that measuring needs is here/ },
      {
        line: 'kymo refine -- srun -n 64 ./solver input.txt',
        in: 'cluster',
        more: `--yes ${short}`,
        before: onCluster,
        shows: /Stopped: /,
      },
      { line: 'kymo refine', in: 'cluster', more: short, shows: /Stopped: / },
      { line: 'kymo accept', in: 'cluster' },
      { line: 'kymo measure --ranks 128', in: 'cluster', more: '--ranks 2 --repetitions 1' },
      { line: 'kymo measure --repetitions 5', in: 'cluster', more: '--repetitions 2' },
      { line: 'kymo profile show .kymo/<target>/<study> --ranks', in: 'cluster', shows: /work/ },
      { line: 'kymo efficiency .kymo/<target>/<study>', in: 'cluster', shows: /[Ll]oad balance/ },
      { line: 'kymo diagnose .kymo/<target>/<study>', in: 'cluster', shows: /2 processes/ },
      { line: 'kymo report .kymo/<target>/<study> --out report.html', in: 'cluster', shows: /Written to/ },
    ],
    'docs/from-score-p.md': [
      {
        line: 'kymo profile show profile.cubex',
        in: 'scorep',
        before: withScoreP,
        shows: /Finder::relax/,
      },
      {
        line: 'kymo properties profile.cubex',
        in: 'scorep',
        shows: /10\.6 M visits × 70 ns.*shows the measurement/,
      },
      { line: 'kymo trace show traces.otf2', in: 'scorep', shows: /visits/ },
      {
        line: 'kymo filter check scorep.filter --names profile.cubex',
        in: 'scorep',
        shows: /0 errors/,
      },
      { line: 'kymo filter match scorep.filter --names profile.cubex', in: 'scorep', shows: /in +main/ },
      { line: 'kymo measure --filter scorep.filter', in: 'scorep', more: '--repetitions 1' },
      { line: 'kymo refine', in: 'scorep', more: short, shows: /Filter for Score-P: / },
      { line: 'kymo pin --from scorep.filter', in: 'scorep', shows: /Applied scorep\.filter/ },
      {
        line: 'kymo select --profile profile.cubex --strategy tor --filter kymo.filter',
        in: 'scorep',
        shows: /Written to kymo\.filter/,
      },
      { line: 'kymo filter diff scorep.filter kymo.filter', in: 'scorep', shows: /added/ },
      { line: 'kymo profile convert .kymo/<target>/<study> solver.cubex', in: 'scorep' },
      { line: 'kymo filter convert kymo.filter capi.json', in: 'scorep', shows: /4 functions/ },
    ],
    'docs/scaling-study.md': [
      {
        line: 'kymo study --values n=16,32,64,128,256 --ranks 1,2,4,8,16 --repetitions 3',
        in: 'examples/growth',
        more: points,
        before: () => example('growth'),
      },
      {
        line: 'kymo model .kymo/<target>/<study> --metric visits --predict p=1024,n=100000',
        in: 'examples/growth',
        shows: /1 · n² +growth->main->interact->work/,
      },
      {
        line: 'kymo model .kymo/<target>/<study> --metric max_time --expect "interact=O(n)"',
        in: 'examples/growth',
        // As its visits, which are exact; a busy machine may turn n² of the times into n^(3/2) · log₂² n.
        shows: /interact grows with n.+, and O\(n\) is expected/,
      },
      { line: 'kymo study --fresh --repetitions 3', in: 'examples/growth', more: points },
      {
        line: 'kymo gate --baseline .kymo/<target>/<before> --candidate .kymo/<target>/<after>',
        in: 'examples/growth',
        // The times of one repetition may show anything.
        statuses: [0, 3, 4],
        shows: /Both are studies over parameters/,
      },
    ],
  };
}
