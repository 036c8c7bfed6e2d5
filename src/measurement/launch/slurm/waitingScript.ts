import { shellQuoted } from '../shellText';

/** Names of the files in a job's folder (docs/formats.md, "Folder of a batch job"). */
export const jobFiles = {
  script: 'batch.sh',
  requests: 'requests',
  events: 'events',
  beat: 'beat',
  log: 'job.out',
  run: (number: number): string => `run${number}.sh`,
  output: (number: number): string => `out${number}`,
} as const;

/**
 * The batch script: starts the runs that are requested, one after the other, so that one allocation serves them all. It only reads and
 * appends to files that exist already, because network file systems show new files late.
 * @param idleSeconds the job ends this time after the last run and the last sign of life of the process that requests runs
 */
export function waitingScript(folder: string, idleSeconds: number): string {
  return `#!/bin/sh
# Starts the runs that Kymo requests. Ends when Kymo has no more, or has shown no sign of life for ${idleSeconds} s.
cd -- ${shellQuoted(folder)} || exit 97
say() { printf '%s\\n' "$*" >> ${jobFiles.events}; }
# srun inherits it under another name (since Slurm 22.05).
[ -z "\${SLURM_CPUS_PER_TASK:-}" ] || export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
say "ready $(hostname)"
done=0
beat=
since=$(date +%s)
while [ -f ${jobFiles.requests} ]; do
  request=$(sed -n "$((done + 1))p" ${jobFiles.requests})
  case $request in
    end.)
      say bye
      exit 0
      ;;
    run\\ *.)
      done=$((done + 1))
      set -- $request
      say "begin $done $(date +%s.%N)"
      timeout --kill-after=30 "$2" sh "./run$done.sh" > "out$done" 2>&1 < /dev/null
      status=$?
      say "end $done $status $(date +%s.%N)"
      since=$(date +%s)
      ;;
    *)
      now=$(cat ${jobFiles.beat})
      [ "$now" = "$beat" ] || since=$(date +%s)
      beat=$now
      if [ $(($(date +%s) - since)) -ge ${idleSeconds} ]; then
        say idle
        exit 0
      fi
      sleep 0.2
      ;;
  esac
done
`;
}

/** A line of `requests`. The point ends it: an incomplete line is not read. */
export function requestLine(limitSeconds: number): string {
  return `run ${limitSeconds} .\n`;
}
export const lastRequest = 'end.\n';

/** What the script has reported. */
export interface JobEvents {
  readonly isReady: boolean;
  /** By the number of the run. */
  readonly begun: ReadonlyMap<number, number>;
  readonly ended: ReadonlyMap<number, { readonly status: number; readonly seconds: number }>;
  /** It has ended by itself. */
  readonly isOver: boolean;
}

/** @param text of `events`; times are seconds since 1970 of the node's clock */
export function readEvents(text: string): JobEvents {
  const begun = new Map<number, number>();
  const ended = new Map<number, { status: number; seconds: number }>();
  let isReady = false;
  let isOver = false;
  for (const line of text.split('\n').slice(0, -1)) {
    const [word, ...values] = line.split(' ');
    const [number = NaN, second = NaN, third = NaN] = values.map(Number);
    if (word === 'ready') isReady = true;
    if (word === 'bye' || word === 'idle') isOver = true;
    if (word === 'begin') begun.set(number, second);
    if (word === 'end') ended.set(number, { status: second, seconds: third - (begun.get(number) ?? NaN) });
  }
  return { isReady, begun, ended, isOver };
}
