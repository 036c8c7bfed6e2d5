import { at } from '../at';
import { formatBytes, formatCount, formatPercent } from '../format';
import { timeWords } from '../functions/base';
import { shareOf } from '../functions/share';
import type { Profile } from '../profile/profile';
import { exclusive } from '../profile/values';
import { communicationType, type Activity, type CommunicationType } from '../functions/activities';
import { problem } from './context/problem';
import type { Property } from '../properties/property';
import type { PropertyKind } from '../properties/kinds';
import type { PropertyContext } from './context/propertyContext';

interface Total {
  /** Also the id of its rule and the kind of its property. */
  readonly kind: Activity & PropertyKind;
  /** Beginning of the title. */
  readonly subject: string;
  /** Metrics in bytes that the title mentions. */
  readonly bytes: readonly { readonly metric: RegExp; readonly words: string; readonly evidence: string }[];
}

const totals: readonly Total[] = [
  {
    kind: 'communication',
    subject: 'Communication',
    bytes: [{ metric: /^(mpi_)?bytes_sent$/, words: 'sent', evidence: 'bytesSent' }],
  },
  {
    kind: 'synchronisation',
    subject: 'Waiting of threads for each other',
    bytes: [],
  },
  {
    kind: 'io',
    subject: 'Input and output',
    bytes: [
      { metric: /^(io_)?bytes_read$/, words: 'read', evidence: 'bytesRead' },
      { metric: /^(io_)?bytes_written$/, words: 'written', evidence: 'bytesWritten' },
    ],
  },
  {
    kind: 'memory',
    subject: 'Allocating and freeing memory',
    bytes: [{ metric: /^allocation_size$/, words: 'allocated', evidence: 'bytesAllocated' }],
  },
];

/** Time of activities other than computation, and of starting MPI; single regions refine it. */
export function findActivityShares(context: PropertyContext): readonly Property[] {
  return [...totals.flatMap((total) => shareOfActivity(context, total)), ...startUp(context)];
}

function shareOfActivity(context: PropertyContext, total: Total): readonly Property[] {
  const { thresholds, activities, profile } = context;
  const { times, base } = context.elapsed;
  let seconds = 0;
  let visits = 0;
  times.regions.forEach((own, index) => {
    if (activities[index] !== total.kind) return;
    seconds += own.exclusiveSeconds;
    visits += own.visits;
  });
  const settings = { reportThreshold: thresholds.activityShare };
  return problem({ rule: total.kind, sums: { time: seconds }, base, settings }, (severity) => {
    const types = total.kind === 'communication' ? communicationShares(context) : noTypes;
    const bytes = total.bytes.flatMap(({ metric, words, evidence }) => {
      const sum = sumOfMetric(profile, metric);
      return sum > 0 ? [{ words: `${formatBytes(sum)} ${words}`, evidence, sum }] : [];
    });
    const details = [
      ...typeWords(types, severity),
      visits === 1 ? '1 call' : `${formatCount(visits)} calls`,
      ...bytes.map(({ words }) => words),
    ];
    return {
      id: `${total.kind}:run`,
      title: `${total.subject} takes ${formatPercent(severity)} of ${timeWords(base)} (${details.join(', ')})`,
      evidence: {
        exclusiveSeconds: seconds,
        exclusiveShare: severity,
        visits,
        ...Object.fromEntries([...types].map(([type, share]) => [`${type}Share`, share])),
        ...Object.fromEntries(bytes.map(({ evidence, sum }) => [evidence, sum])),
        thresholdShare: thresholds.activityShare,
      },
    };
  });
}

function communicationShares({
  profile,
  activities,
  elapsed: { times, base },
}: PropertyContext): ReadonlyMap<CommunicationType, number> {
  const shares = new Map<CommunicationType, number>();
  profile.regions.forEach((region, index) => {
    const seconds = at(times.regions, index).exclusiveSeconds;
    if (activities[index] !== 'communication' || seconds === 0) return;
    const type = communicationType(region);
    shares.set(type, (shares.get(type) ?? 0) + shareOf(seconds, base));
  });
  return shares;
}

const noTypes: ReadonlyMap<CommunicationType, number> = new Map();

const typeNames: Readonly<Record<CommunicationType, string>> = {
  pointToPoint: 'point-to-point',
  waiting: 'waiting for messages',
  collective: 'collective',
  barrier: 'barriers',
  other: 'other',
};

/** Omits small shares. */
function typeWords(types: ReadonlyMap<CommunicationType, number>, whole: number): readonly string[] {
  return [...types]
    .filter(([, share]) => share >= 0.05 * whole)
    .sort(([, a], [, b]) => b - a)
    .map(([type, share]) => `${formatPercent(share)} ${typeNames[type]}`);
}

function sumOfMetric(profile: Profile, name: RegExp): number {
  const metric = profile.metrics.find(
    (candidate) => name.test(candidate.name) && candidate.stored !== 'derived' && candidate.combine === 'sum',
  );
  if (metric === undefined) return 0;
  return exclusive(profile, metric.name).reduce((sum, value) => sum + value, 0);
}

function startUp({ elapsed, activities, thresholds }: PropertyContext): readonly Property[] {
  const { times, base } = elapsed;
  // A large part is excluded from the base of everything else.
  const leftOut = base.leftOut.find(({ what }) => what === 'MPI start and end')?.seconds ?? 0;
  const whole = {
    ...base,
    seconds: base.seconds + leftOut,
    leftOut: base.leftOut.filter(({ what }) => what !== 'MPI start and end'),
  };
  const seconds = times.regions.reduce(
    (sum, own, index) => sum + (activities[index] === 'start-up' ? own.exclusiveSeconds : 0),
    leftOut,
  );
  const settings = { reportThreshold: thresholds.activityShare };
  return problem({ rule: 'start-up', sums: { time: seconds }, base: whole, settings }, (severity) => ({
    id: 'start-up:run',
    title: `Starting and ending MPI takes ${formatPercent(severity)} of the run time: measure a longer run, if this one is shorter than usual`,
    evidence: {
      exclusiveSeconds: seconds,
      exclusiveShare: severity,
      runSeconds: whole.seconds,
      thresholdShare: thresholds.activityShare,
    },
  }));
}
