import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { DraftLauncher } from '../init/asking/draft';

/** A launcher as it was typed, and the words behind its options. */
export interface TypedLauncher {
  readonly launcher: DraftLauncher;
  readonly rest: readonly string[];
  /** An unknown option right before `rest`, whose value the first word of `rest` may be. */
  readonly doubtful?: string;
}

interface Manner {
  readonly kind: DraftLauncher['kind'];
  readonly name: RegExp;
  /** Options with the number of processes. */
  readonly ranks: ReadonlySet<string>;
  /** Options without their dashes whose next word is a value. */
  readonly valued: ReadonlySet<string>;
  /** Options with two values. */
  readonly twice: ReadonlySet<string>;
  /** Whether the value of an option of one letter may follow in the same word (`-n4`). */
  readonly joins: boolean;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const manners: readonly Manner[] = [
  {
    // mpirun(1) of Open MPI 4 and 5, and the options of Hydra (`mpiexec.hydra -help`), which Intel MPI and MVAPICH have, too.
    kind: 'mpirun',
    name: /^(mpirun|mpiexec|orterun|prterun)([.-](openmpi|mpich|hydra))?$/,
    ranks: setOf('n np c'),
    valued: setOf(`
      x H host hosts hostfile machinefile machine default-hostfile f map-by bind-to rank-by N npernode npersocket npernuma
      ppn perhost grr wdir wd path prefix preload-files rankfile rf slot-list cpu-set cpu-list output output-filename timeout
      tune am personality stdin app configfile launcher launcher-exec rmk iface bootstrap bootstrap-exec envlist genvlist
      prepend-pattern outfile-pattern errfile-pattern usize cpus-per-proc cpus-per-rank max-restarts tmpdir report-uri
      ompi-server xterm debugger dvm-uri dvm hnp membind topolib gpus-per-proc ranks-per-proc localhost port-range
      display-devel-map-file profile umask gpath s`),
    twice: setOf('mca gmca omca prtemca pmixmca gpmixmca tmca env genv'),
    joins: false,
  },
  {
    // srun(1) of Slurm 23; options whose value is optional take it in the same word only.
    kind: 'slurm',
    name: /^srun$/,
    ranks: setOf('n ntasks'),
    valued: setOf(`
      A B C D G L M N S T W c d e i m o p q r t w x
      account acctg-freq bb bbf bcast-exclude begin chdir cluster-constraint clusters comment constraint container
      container-id core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu cpus-per-task deadline delay-boot dependency
      distribution epilog error exclude export export-file extra extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node
      gpus-per-socket gpus-per-task gres gres-flags het-group hint input jobid job-name J licenses mail-type mail-user
      mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus mpi msg-timeout network nodefile nodelist nodes
      ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode output partition power prefer priority
      profile prolog qos relative reservation signal slurmd-debug sockets-per-node switches task-epilog task-prolog
      thread-spec threads threads-per-core time time-min tmp treewidth tres-bind tres-per-task uid wait wckey`),
    twice: new Set(),
    joins: true,
  },
];

/**
 * Divides words that begin with a launcher. The number of ranks and its other options become a launcher of `kymo.json`; words that are not
 * its own are not read.
 * @returns undefined if they do not begin with one
 * @throws KymoError `usage` if the number of ranks is missing or is none
 */
export function readLauncher(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): TypedLauncher | undefined {
  const [first = ''] = words;
  const manner = manners.find(({ name }) => name.test(path.basename(first)));
  if (manner === undefined) return undefined;
  const { own, ranks, rest, doubtful } = ownWords(words.slice(1), manner);
  const count = ranks ?? ranksOfJob(manner, own, environment);
  return {
    launcher: {
      kind: manner.kind,
      ranks: [ranksIn(count, first)],
      ...(own.length === 0 ? {} : { arguments: own }),
    },
    rest,
    ...present({ doubtful }),
  };
}

interface OwnWords {
  /** Options and their values, without the number of ranks. */
  readonly own: readonly string[];
  readonly ranks: string | undefined;
  readonly rest: readonly string[];
  readonly doubtful: string | undefined;
}

function ownWords(words: readonly string[], manner: Manner): OwnWords {
  const own: string[] = [];
  let ranks: string | undefined;
  let doubtful: string | undefined;
  let next = 0;
  for (let word = words[next]; word !== undefined && isOption(word); word = words[next]) {
    const { name, value, count } = readOption(word, manner);
    const taken = words.slice(next, next + 1 + count);
    next += taken.length;
    if (manner.ranks.has(name)) ranks = value ?? taken[1] ?? '';
    else own.push(...taken);
    doubtful = value === undefined && count === 0 && word.length > 2 ? word : undefined;
  }
  return { own, ranks, doubtful, rest: words.slice(words[next] === '--' ? next + 1 : next) };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && word !== '--';
}

/** The name without dashes, the value in the same word, and the number of words that follow as values. */
function readOption(
  word: string,
  { ranks, valued, twice, joins }: Manner,
): { readonly name: string; readonly value?: string; readonly count: number } {
  const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const letter = name.slice(0, 1);
  if (joins && dashes === '-' && word.length > 2 && (ranks.has(letter) || valued.has(letter)))
    return { name: letter, value: word.slice(2), count: 0 };
  if (value !== undefined) return { name, value, count: 0 };
  return { name, count: twice.has(name) ? 2 : valued.has(name) || ranks.has(name) ? 1 : 0 };
}

/** In a job of Slurm, srun starts what the job has. */
function ranksOfJob(
  { kind }: Manner,
  own: readonly string[],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const isSpread = own.some((word) => /^(-N|--nodes|--ntasks-per-)/.test(word));
  return kind === 'slurm' && !isSpread ? environment.SLURM_NTASKS : undefined;
}

function ranksIn(text: string | undefined, launcher: string): number {
  const count = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && count > 0 && count <= 1 << 24) return count;
  throw new KymoError(
    'usage',
    `${text === undefined ? 'The number of ranks is missing' : `${JSON.stringify(text)} is no number of ranks`}: write it behind the launcher, such as “${launcher} -n 4 ./program”.`,
  );
}
