import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import type { Focus, ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import { CostThrottle } from '../../../../../src/core/diagnosis/search/costThrottle';
import type {
  Budget,
  SearchCommand,
  SearchedProgram,
  SearchEvent,
} from '../../../../../src/core/diagnosis/search/messages';
import { Search } from '../../../../../src/core/diagnosis/search/search';
import type { SearchOptions, SearchRules } from '../../../../../src/core/diagnosis/search/searchOptions';
import type { SearchNode } from '../../../../../src/core/diagnosis/search/searchRecord';

/** Hypotheses of their own, so that these tests state the search and not the table that users get. */
export const cpu: Hypothesis = {
  id: 'CPUBound',
  label: 'CPU bound',
  metric: 'cpu',
  holds: 'above',
  threshold: 0.3,
  pruned: ['SyncObject'],
  expansion: 'why-and-where',
  children: [],
  advice: 'Make it faster.',
};
export const sync: Hypothesis = { ...cpu, id: 'Sync', metric: 'sync', threshold: 0.2, pruned: [] };
export const io: Hypothesis = {
  ...cpu,
  id: 'IO',
  metric: 'io',
  threshold: 0.2,
  expansion: 'where-before-why',
  children: ['SmallIO'],
};
export const smallIo: Hypothesis = {
  ...cpu,
  id: 'SmallIO',
  metric: 'bytes per operation',
  holds: 'below',
  threshold: 4096,
};

export interface Model {
  readonly hypotheses?: readonly Hypothesis[];
  /** Callees by caller; '' for the functions at which the program enters. */
  readonly calls?: Readonly<Record<string, readonly string[]>>;
  /** Names below a resource, by its text without the tree: '' for the root, `c1` for a host, `c1/p2` for a process. */
  readonly machines?: Readonly<Record<string, readonly string[]>>;
  readonly objects?: Readonly<Record<string, readonly string[]>>;
  readonly value: (hypothesis: string, at: string, time: number) => number;
  /** Share of the processor's time that measuring takes, in truth and as predicted. */
  readonly cost?: (hypothesis: string, at: string) => number;
  readonly limit?: number;
  readonly rules?: Partial<SearchRules>;
  readonly isDelegated?: SearchOptions['isDelegated'];
  readonly budget?: Budget;
  /** Seconds between asking for a measurement and the answer. */
  readonly delay?: number;
  /** Whether the program tells what measuring costs. */
  readonly observesCost?: boolean;
  /** The answer to a request: `accepted` without it. */
  readonly answer?: (at: string) => 'accepted' | 'deferred' | 'failed';
}

/** `main c1/p1 Message`: the three resources without their trees, '-' for a root. Functions are of the module `a.c`. */
export function placeOf({ Code, Machine, SyncObject }: Focus): string {
  const names = [Code.slice(1), Machine, SyncObject].map((path) => path.join('/') || '-');
  return names.join(' ');
}

export function focusOf(place: string): Focus {
  const [code = '-', machine = '-', object = '-'] = place.split(' ');
  const path = (text: string): ResourcePath => (text === '-' ? [] : text.split('/'));
  return { Code: code === '-' ? [] : functionPath(code), Machine: path(machine), SyncObject: path(object) };
}

export const functionPath = (name: string): ResourcePath => ['a.c', name];

export function programOf({ calls = { '': [] }, machines = {}, objects = {}, cost }: Model): SearchedProgram {
  const callees = (name: string): readonly ResourcePath[] => (calls[name] ?? []).map(functionPath);
  return {
    entries: callees(''),
    callees: ([, name = '?']) => callees(name),
    children: (tree, of) => (tree === 'Machine' ? machines : objects)[of.join('/')] ?? [],
    predictedCost: ({ id }, focus) => cost?.(id, placeOf(focus)) ?? 0,
  };
}

/** A search of a program of which everything is known, in virtual time: samples are taken each second. */
export class VirtualRun {
  readonly search: Search;
  readonly commands: (SearchCommand & { readonly time: number })[] = [];
  /** By id: when it was asked for. */
  private readonly measured = new Map<
    number,
    { readonly command: SearchCommand; answered: boolean; readonly since: number }
  >();
  /** Share of the processor's time that measuring takes. */
  share = 0;
  /** Greatest share of the processor's time that measuring took. */
  highestShare = 0;
  mostMeasured = 0;
  time = 0;

  constructor(readonly model: Model) {
    this.search = new Search({
      hypotheses: model.hypotheses ?? [cpu],
      program: programOf(model),
      budget: model.budget ?? new CostThrottle(model.limit ?? 1.5),
      about: {
        strategy: 'centralised',
        run: 'test',
        clock: 'virtual',
        deepStart: false,
        costLimit: model.limit ?? 1.5,
      },
      ...(model.rules && { rules: model.rules }),
      ...(model.isDelegated && { isDelegated: model.isDelegated }),
    });
  }

  start(): this {
    this.obey(this.search.start());
    return this;
  }

  obey(commands: readonly SearchCommand[]): void {
    for (const command of commands) {
      this.commands.push({ ...command, time: this.time });
      const isMeasured = this.measured.has(command.experiment);
      if (command.type === 'disable') {
        if (!isMeasured) throw new Error(`${command.experiment} is disabled and was not enabled`);
        this.forget(command.experiment);
        continue;
      }
      if (isMeasured) throw new Error(`${command.experiment} is enabled twice`);
      this.measured.set(command.experiment, { command, answered: false, since: this.time });
      this.share += this.costOf(command);
    }
    this.mostMeasured = Math.max(this.mostMeasured, this.measured.size);
    this.highestShare = Math.max(this.highestShare, this.share);
  }

  send(event: SearchEvent): void {
    this.obey(this.search.handle(event));
  }

  /** Names of what is measured. */
  get isMeasured(): readonly string[] {
    return [...this.measured.keys()].map((id) => nameOf(this.search.node(id)));
  }

  /** Lets the program run. */
  advance(seconds: number): this {
    for (const end = this.time + seconds; this.time < end;) {
      this.time += 1;
      const { time } = this;
      for (const [experiment, entry] of [...this.measured]) this.measure(experiment, entry);
      if (this.model.observesCost !== false)
        this.send({ type: 'cost', time, share: Math.max(0, this.share) });
      this.send({ type: 'time', time });
    }
    return this;
  }

  /** Until the search is complete. */
  finish(most = 100_000): this {
    while (this.search.state !== 'complete') {
      if (this.time > most) throw new Error(`The search is ${this.search.state} after ${this.time} s.`);
      this.advance(1);
    }
    return this;
  }

  private measure(
    experiment: number,
    entry: { command: SearchCommand; answered: boolean; readonly since: number },
  ): void {
    const { command, since } = entry;
    const { time, model } = this;
    if (command.type !== 'enable' || !this.measured.has(experiment) || time - since < (model.delay ?? 1))
      return;
    const place = placeOf(command.focus);
    if (!entry.answered) {
      entry.answered = true;
      const answer = model.answer?.(place) ?? 'accepted';
      this.send({ type: answer, time, experiment, message: 'It cannot be measured.' });
      if (answer === 'failed') this.forget(experiment);
      return;
    }
    if (model.answer !== undefined && this.search.node(experiment).activity !== 'active') return;
    const value = model.value(command.hypothesis, place, time);
    this.send({ type: 'sample', time, experiment, value, start: time - 1, end: time });
  }

  private forget(experiment: number): void {
    const entry = this.measured.get(experiment);
    if (entry !== undefined) this.share -= this.costOf(entry.command);
    this.measured.delete(experiment);
    if (this.measured.size === 0) this.share = 0;
  }

  private costOf(command: SearchCommand): number {
    return command.type === 'enable'
      ? (this.model.cost?.(command.hypothesis, placeOf(command.focus)) ?? 0)
      : 0;
  }

  get nodes(): readonly SearchNode[] {
    return this.search.record().nodes;
  }

  node(name: string): SearchNode {
    const found = this.nodes.find((node) => nameOf(node) === name);
    if (found === undefined)
      throw new Error(`There is no ${name}, only ${this.nodes.map(nameOf).join(', ')}`);
    return found;
  }

  /** Names of the nodes in the order in which they were made. */
  get names(): readonly string[] {
    return this.nodes.map(nameOf);
  }

  get found(): readonly string[] {
    return this.nodes.filter(({ truth }) => truth === 'true').map(nameOf);
  }

  /** The order in which measurements were asked for. */
  get enabled(): readonly string[] {
    return this.commands
      .filter(({ type }) => type === 'enable')
      .map(({ experiment }) => nameOf(this.search.node(experiment)));
  }

  parentsOf(name: string): readonly string[] {
    return this.node(name).parents.map(({ node, by }) =>
      node === undefined ? by : `${by}: ${nameOf(this.search.node(node))}`,
    );
  }

  get messages(): readonly string[] {
    return this.search.record().notices.map(({ message }) => message);
  }
}

/** `CPUBound main c1 -` */
export function nameOf({ hypothesis, focus }: Pick<SearchNode, 'hypothesis' | 'focus'>): string {
  return `${hypothesis} ${placeOf(focus)}`;
}

/** Values by place, with a default of 0: the inclusive times of functions and the shares of machines. */
export function values(given: Readonly<Record<string, number>>, otherwise = 0): Model['value'] {
  return (hypothesis, at) => given[`${hypothesis} ${at}`] ?? given[at] ?? otherwise;
}
