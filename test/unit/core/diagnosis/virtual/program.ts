import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import type { Focus, ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchedProgram } from '../../../../../src/core/diagnosis/search/messages';
import { randomNumbers } from '../../../../../src/core/randomNumbers';

/** A function of the synthetic program. Times are seconds per second of a process whose multipliers are 1, by the function itself. */
export interface VirtualFunction {
  readonly module: string;
  readonly name: string;
  readonly cpu: number;
  /** Calls per second in each process: what it costs to measure it. */
  readonly rate: number;
  readonly waits?: readonly { readonly object: number; readonly time: number }[];
  readonly io?: { readonly time: number; readonly operations: number; readonly bytes: number };
}

/**
 * `share` of the callee's inclusive time belongs to this caller; those of all callers add up to 1. A caller comes before its callees, but
 * for recursive calls, which have no share. Indirect calls are not in the static call graph.
 */
export interface VirtualCall {
  readonly caller: number;
  readonly callee: number;
  readonly share: number;
  readonly kind?: 'recursive' | 'indirect';
}

export interface VirtualSpec {
  readonly functions: readonly VirtualFunction[];
  readonly calls: readonly VirtualCall[];
  /** Synchronisation objects: type and name. At the first one, in the function `slackIn`, processes wait for the slowest. */
  readonly objects: readonly (readonly [type: string, name: string])[];
  readonly slackIn?: number;
  readonly hosts: number;
  readonly processesPerHost: number;
  /** How processes differ: factors of all times of a function. One variant of 1 if left out. */
  readonly variants?: readonly ((fn: number) => number)[];
  readonly variantOf?: (process: number) => number;
  /** What changes over time, from the first one on that begins at 0. */
  readonly phases?: readonly {
    readonly from: number;
    readonly factor: (fn: number, variant: number) => number;
  }[];
  /** New message tags per second, none of which is used twice. */
  readonly tagsPerSecond?: number;
  readonly executable?: string;
}

export type Channel =
  | 'cpu'
  | 'io'
  | 'sync'
  | 'bytes'
  | 'operations'
  | 'all'
  | `object ${number}`
  | `type ${string}`;

/** Seconds that the measurement of a call takes. */
const secondsPerCall = 1e-6;
/** Share of the time that measuring a whole process costs: clocks are read, and no function is instrumented. */
const wholeCost = 2e-4;

/** The synthetic program: gives inclusive values of any metric at any focus over any interval, stack samples, and predicted costs. */
export class VirtualProgram {
  readonly hostNames: readonly string[];
  readonly processNames: readonly string[];
  private readonly allProcesses: readonly number[];
  private readonly hostNumber: ReadonlyMap<string, number>;
  private readonly processNumber: ReadonlyMap<string, number>;
  private readonly position = new Map<string, number>();
  private readonly callees: (readonly VirtualCall[])[];
  private readonly variants: readonly ((fn: number) => number)[];
  private readonly phases: NonNullable<VirtualSpec['phases']>;
  private readonly inclusive = new Map<string, Float64Array>();

  constructor(readonly spec: VirtualSpec) {
    const { functions, calls, hosts, processesPerHost, executable = 'app' } = spec;
    this.hostNames = Array.from({ length: hosts }, (_, i) => `node${String(i + 1).padStart(4, '0')}`);
    this.processNames = Array.from(
      { length: hosts * processesPerHost },
      (_, i) => `${executable}{${1000 + i}}`,
    );
    this.allProcesses = [...this.processNames.keys()];
    this.hostNumber = new Map(this.hostNames.map((host, i) => [host, i]));
    this.processNumber = new Map(this.processNames.map((process, i) => [process, i]));
    functions.forEach(({ module, name }, i) => this.position.set(`${module}/${name}`, i));
    this.callees = functions.map(() => []);
    for (const call of calls) (this.callees[call.caller] as VirtualCall[]).push(call);
    this.variants = spec.variants ?? [() => 1];
    this.phases = spec.phases ?? [{ from: 0, factor: () => 1 }];
    const shares = new Float64Array(functions.length);
    for (const { caller, callee, share, kind } of calls) {
      if (kind !== 'recursive' && caller >= callee) throw new Error(`${caller} calls ${callee}`);
      shares[callee]! += share;
    }
    shares.forEach((share, i) => {
      if (Math.abs(share - (i === 0 ? 0 : 1)) > 1e-9) throw new Error(`shares of ${i} are ${share}`);
    });
  }

  get processCount(): number {
    return this.processNames.length;
  }

  hostOf(process: number): number {
    return Math.floor(process / this.spec.processesPerHost);
  }

  /** Positions of the processes that a resource of `Machine` stands for. */
  processesIn([host, process]: ResourcePath): readonly number[] {
    if (host === undefined) return this.allProcesses;
    if (process !== undefined) return [this.processNumber.get(process)!];
    const first = this.hostNumber.get(host)! * this.spec.processesPerHost;
    return this.allProcesses.slice(first, first + this.spec.processesPerHost);
  }

  functionAt([module, name]: ResourcePath): number {
    return module === undefined ? 0 : this.position.get(`${module}/${name ?? ''}`)!;
  }

  pathOf(fn: number): ResourcePath {
    const { module, name } = this.spec.functions[fn]!;
    return [module, name];
  }

  /** What a search knows of the program before and while it runs. */
  get searched(): SearchedProgram {
    return {
      entries: [this.pathOf(0)],
      callees: (of) =>
        this.callees[this.functionAt(of)]!.filter(({ kind }) => kind !== 'indirect').map(({ callee }) =>
          this.pathOf(callee),
        ),
      children: (tree, of) => (tree === 'Machine' ? this.machineBelow(of) : this.objectsBelow(of)),
      predictedCost: (_hypothesis, focus) => this.cost(focus),
    };
  }

  /** Share of the time of each process in the focus that measuring it costs: calls per second × time per call × nesting. */
  cost({ Code: [module, name], SyncObject }: Focus): number {
    const atObject = SyncObject.length > 0 ? wholeCost : 0;
    if (module === undefined) return wholeCost + atObject;
    const fn = this.functionAt([module, name ?? '']);
    const nesting = this.callees[fn]!.some(({ kind }) => kind === 'recursive') ? 2 : 1;
    return this.spec.functions[fn]!.rate * secondsPerCall * nesting + atObject;
  }

  /** Calls of the static call graph's missing edges: reported when the caller is measured. */
  indirectCalls(of: ResourcePath): readonly ResourcePath[] {
    return this.callees[this.functionAt(of)]!.filter(({ kind }) => kind === 'indirect').map(({ callee }) =>
      this.pathOf(callee),
    );
  }

  /**
   * The mean over the processes of the focus of a metric over [start, end): shares of the time, or bytes per operation.
   * Resolved once: it is asked for each sample.
   */
  gauge(metric: string, { Code, Machine, SyncObject }: Focus): (start: number, end: number) => number {
    const fn = this.functionAt(Code);
    const counts = this.countVariants(this.processesIn(Machine));
    const [type, object] = SyncObject;
    const channel: Channel =
      object !== undefined
        ? `object ${this.spec.objects.findIndex((one) => one[0] === type && one[1] === object)}`
        : type !== undefined
          ? `type ${type}`
          : (metric as Channel);
    const mean = (of: Channel): readonly number[] =>
      this.phases.map((_, phase) => {
        let [sum, processes] = [0, 0];
        counts.forEach((count, variant) => {
          sum += count === 0 ? 0 : count * this.inclusiveOf(phase, variant, of)[fn]!;
          processes += count;
        });
        return sum / processes;
      });
    if (metric === 'bytes per operation') {
      const [bytes, operations] = [mean('bytes'), mean('operations')];
      return (start, end) => this.over(bytes, start, end) / this.over(operations, start, end);
    }
    const values = mean(channel);
    return values.length === 1 ? () => values[0]! : (start, end) => this.over(values, start, end);
  }

  /** Call path of a process at a time, outermost first, drawn from the distribution of the time over call paths. */
  stack(process: number, time: number, random: () => number): readonly ResourcePath[] {
    const variant = this.variantOf(process);
    const all = this.inclusiveOf(this.phaseAt(time), variant, 'all');
    const path = [0];
    for (let fn = 0; ;) {
      let left = random() * all[fn]!;
      const next = this.callees[fn]!.find(({ callee, share }) => {
        left -= share * all[callee]!;
        return left < 0;
      });
      if (next === undefined) return path.map((one) => this.pathOf(one));
      fn = next.callee;
      path.push(fn);
    }
  }

  /** Functions whose value, over the whole program from `time` on, makes a hypothesis true. */
  trueFunctions({ metric = '', holds, threshold }: Hypothesis, time = 0): readonly string[] {
    return this.spec.functions.flatMap((_, fn) => {
      const path = this.pathOf(fn);
      const value = this.gauge(metric, { Code: path, Machine: [], SyncObject: [] })(time, time + 1);
      return (holds === 'above' ? value > threshold : value < threshold) ? [path.join('/')] : [];
    });
  }

  private variantOf(process: number): number {
    return this.spec.variantOf?.(process) ?? 0;
  }

  private countVariants(processes: readonly number[]): readonly number[] {
    const counts = this.variants.map(() => 0);
    for (const process of processes) counts[this.variantOf(process)]!++;
    return counts;
  }

  private phaseAt(time: number): number {
    let phase = 0;
    while (phase + 1 < this.phases.length && this.phases[phase + 1]!.from <= time) phase++;
    return phase;
  }

  private over(values: readonly number[], start: number, end: number): number {
    if (values.length === 1) return values[0]!;
    let sum = 0;
    values.forEach((value, phase) => {
      const from = Math.max(start, this.phases[phase]!.from);
      const to = Math.min(end, this.phases[phase + 1]?.from ?? Infinity);
      if (to > from) sum += value * (to - from);
    });
    return sum / (end - start);
  }

  private inclusiveOf(phase: number, variant: number, channel: Channel): Float64Array {
    const key = `${phase} ${variant} ${channel}`;
    const known = this.inclusive.get(key);
    if (known !== undefined) return known;
    const period = Math.max(1, ...this.variants.map((_, one) => this.busy(phase, one)));
    const slack = period - this.busy(phase, variant);
    const values = Float64Array.from(this.spec.functions, (fn, i) => {
      const own = this.factor(phase, variant, i) * exclusive(fn, channel, this.spec.objects);
      const waits = i === this.spec.slackIn && isSlack(channel, this.spec.objects) ? slack : 0;
      return (own + waits) / period;
    });
    for (let fn = values.length - 1; fn >= 0; fn--)
      for (const { callee, share } of this.callees[fn]!) values[fn]! += share * values[callee]!;
    this.inclusive.set(key, values);
    return values;
  }

  /** Seconds for the work of a second of the undisturbed program. */
  private busy(phase: number, variant: number): number {
    return this.spec.functions.reduce(
      (sum, fn, i) => sum + this.factor(phase, variant, i) * exclusive(fn, 'all', this.spec.objects),
      0,
    );
  }

  private factor(phase: number, variant: number, fn: number): number {
    return this.variants[variant]!(fn) * this.phases[phase]!.factor(fn, variant);
  }

  private machineBelow([host, process]: ResourcePath): readonly string[] {
    if (host === undefined) return this.hostNames;
    if (process !== undefined) return [];
    return this.processesIn([host]).map((one) => this.processNames[one]!);
  }

  private objectsBelow([type, object]: ResourcePath): readonly string[] {
    if (type === undefined) return [...new Set(this.spec.objects.map(([one]) => one))];
    return object === undefined
      ? this.spec.objects.filter(([one]) => one === type).map(([, name]) => name)
      : [];
  }
}

function exclusive(
  { cpu, waits = [], io }: VirtualFunction,
  channel: Channel,
  objects: VirtualSpec['objects'],
): number {
  const waited = (matches: (object: number) => boolean): number =>
    waits.reduce((sum, { object, time }) => sum + (matches(object) ? time : 0), 0);
  const { time = 0, operations = 0, bytes = 0 } = io ?? {};
  switch (channel) {
    case 'cpu':
      return cpu;
    case 'io':
      return time;
    case 'sync':
      return waited(() => true);
    case 'operations':
      return operations;
    case 'bytes':
      return operations * bytes;
    case 'all':
      return cpu + time + waited(() => true);
    default: {
      const [kind, name] = channel.split(' ') as [string, string];
      return waited((object) => (kind === 'object' ? object === Number(name) : objects[object]![0] === name));
    }
  }
}

const isSlack = (channel: Channel, objects: VirtualSpec['objects']): boolean =>
  channel === 'all' || channel === 'sync' || channel === 'object 0' || channel === `type ${objects[0]?.[0]}`;

/** Random choices for a program's shape. */
export function seeded(seed: number): {
  readonly random: () => number;
  readonly between: (least: number, most: number) => number;
  readonly below: (count: number) => number;
} {
  const random = randomNumbers(seed);
  return {
    random,
    between: (least, most) => least + random() * (most - least),
    below: (count) => Math.floor(random() * count),
  };
}
