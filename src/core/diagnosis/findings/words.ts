import { formatPercent } from '../../format';
import type { Property } from '../../properties/property';
import { rankSet } from '../../properties/rankSet';
import { pushTo } from '../../remembered';
import type { Hypothesis } from '../hypotheses/hypothesis';
import { metricRecord, metricValueText, type MetricRecord } from '../hypotheses/metrics';
import { usualHypotheses } from '../hypotheses/usual';
import type { Group } from './refined';

export interface Titled {
  readonly hypothesis: Hypothesis;
  readonly value: number;
  readonly group: Group;
  /** Of the function; absent for modules and the whole program. */
  readonly name: string | undefined;
  /** Empty: all; undefined: not known. */
  readonly ranks: readonly number[] | undefined;
  /** Number of processes in the run. */
  readonly processes: number;
  /** Part (0…1) of the program's time that the group has. */
  readonly part: number;
}

/** `Waiting for late senders in exchange (MPI_Recv) takes 61.2 % of the time of ranks 2-3` */
export function titleOf(titled: Titled): string {
  const { hypothesis, value } = titled;
  const metric = metricRecord(hypothesis.metric ?? '');
  const what = `${metric?.noun ?? hypothesis.label}${placeWords(titled)}`;
  // A hypothesis of a user's own says something else than its metric does.
  const isUsual = usualHypotheses.some(({ id, label }) => id === hypothesis.id && label === hypothesis.label);
  const begin = isUsual ? capital(what) : `${hypothesis.label}: ${what}`;
  const who = whoWords(titled);
  switch (metric?.unit) {
    case 'share':
    case undefined:
      return `${begin} takes ${formatPercent(value)} of the time${who === '' ? '' : ` of ${who}`}`;
    case 'loss':
      return `${begin} costs ${formatPercent(value)} of the run time${who === '' ? '' : `, most computing on ${who}`}`;
    case 'bytes':
    case 'perThousand':
    case 'bytesPerSecond':
      return `${begin}: ${metricValueText(hypothesis.metric, value)}${who === '' ? '' : ` on ${who}`}`;
  }
}

/** What is wrong, where there is room for a few words only: `late sender`. Of a hypothesis of a user's own its id; undefined for what no search found. */
export function shortTitle({ id, kind }: Pick<Property, 'id' | 'kind'>): string | undefined {
  if (kind !== 'diagnosis' && kind !== 'diagnosis-computing') return undefined;
  const [, hypothesis = ''] = id.split(':');
  const label = usualHypotheses.find((usual) => usual.id === hypothesis)?.label;
  return label === undefined ? hypothesis : `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}

/** What all objects of a type are called together. */
const typeNames: Readonly<Record<string, string>> = {
  Message: 'messages',
  Collective: 'collective operations',
  MPI: 'other MPI functions',
  Barrier: 'barriers',
  Lock: 'locks',
  Condition: 'conditions',
};

function placeWords({ group: { focus }, name }: Titled): string {
  const where = name ?? focus.Code.at(-1);
  const [type = '', ...objects] = focus.SyncObject;
  const object = objects.at(-1) ?? typeNames[type] ?? focus.SyncObject.at(-1);
  return `${where === undefined ? '' : ` in ${where}`}${object === undefined ? '' : ` (${object})`}`;
}

function whoWords(titled: Titled): string {
  const { ranks, processes, group, part } = titled;
  const own =
    ranks === undefined
      ? namesOf(group)
      : ranks.length > 0 && processes > 1
        ? numbered('rank', rankSet(ranks))
        : '';
  const threads = part > allOfIt ? undefined : threadsOf(group);
  if (threads === undefined) return own;
  if (processes === 1) return threads;
  return `${threads} of ${own === '' ? 'each process' : own}`;
}

/** Hosts or processes whose ranks are not known; empty for the whole machine. */
function namesOf({ nodes }: Group): string {
  const [name = '', ...others] = new Set(
    nodes.map(({ focus: { Machine } }) => Machine.slice(0, 2).join('/')),
  );
  return others.length === 0
    ? name
    : `${others.length + 1} ${nodes.every(isProcess) ? 'processes' : 'parts of the machine'}`;
}

function isProcess({ focus: { Machine } }: Group['nodes'][number]): boolean {
  return Machine.length > 1;
}

/** Undefined unless a group is of threads. */
function threadsOf({ nodes }: Group): string | undefined {
  const byProcess = new Map<string, number[]>();
  for (const { focus } of nodes) {
    const [host = '', process = '', thread = ''] = focus.Machine;
    const number = /\d+$/.exec(thread)?.[0];
    if (number === undefined) return undefined;
    pushTo(byProcess, `${host} ${process}`, Number(number));
  }
  const [set = '', ...others] = new Set([...byProcess.values()].map((numbers) => rankSet(numbers)));
  return others.length === 0 ? numbered('thread', set) : 'some threads';
}

/** Sums differ in their last digits. */
const allOfIt = 0.9999;

function numbered(noun: string, set: string): string {
  return `${noun}${/^\d+$/.test(set) ? '' : 's'} ${set}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Name of the least or most of a value over several runs: `leastFocusShare` */
export function inRuns(which: 'least' | 'most', value: string): string {
  return `${which}${capital(value)}`;
}

/** Names of the value and of its threshold in the evidence of a property, with their units. */
export function evidenceNames(unit: MetricRecord['unit'] | undefined): {
  readonly value: string;
  readonly threshold: string;
} {
  switch (unit) {
    case 'share':
    case 'loss':
    case undefined:
      return { value: 'focusShare', threshold: 'thresholdShare' };
    case 'bytes':
      return { value: 'bytesPerOperation', threshold: 'thresholdBytesPerOperation' };
    case 'perThousand':
      return { value: 'missesPerThousandInstructions', threshold: 'thresholdMissesPerThousandInstructions' };
    case 'bytesPerSecond':
      return { value: 'bytesPerSecond', threshold: 'thresholdBytesPerSecond' };
  }
}
