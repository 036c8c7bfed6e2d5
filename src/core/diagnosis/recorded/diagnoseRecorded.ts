import { present } from '../../present';
import { largestOf } from '../../sums';
import type { Hypothesis } from '../hypotheses/hypothesis';
import { wholeProgram, type Focus, type ResourcePath } from '../resources/focus';
import { printFocus } from '../resources/focusText';
import { distinctPaths } from '../resources/pathKey';
import { Search } from '../search/search';
import type { Budget, SearchCommand, SearchedProgram, SearchEvent } from '../search/messages';
import type { SearchNode, SearchNotice, SearchRecord } from '../search/searchRecord';
import { leftOutNotice } from './notSearched';
import { programFacts } from './programFacts';
import { recordedProgram } from './recordedProgram';
import type { RecordedRuns } from './recordedRuns';

export interface RecordedOptions {
  readonly hypotheses: readonly Hypothesis[];
  /** Thresholds in place of those of the hypotheses, by id. */
  readonly thresholds?: Readonly<Record<string, number>>;
  /** What was searched, in words. */
  readonly run: string;
}

/** Measuring costs nothing any more. */
const unlimited: Budget = {
  admit: () => 'admitted',
  visible: () => undefined,
  release: () => undefined,
  observe: () => undefined,
};

/** What was measured does not change: it needs neither hysteresis nor time to agree. */
const rules = {
  hysteresis: 0,
  minTimeToTrue: 0,
  minTimeToFalse: 0,
  minObservation: 0,
  maxActive: Infinity,
  maxPending: Infinity,
};

/** The search in finished measurements, which takes no time: the record ends when it begins. */
export function diagnoseRecorded(runs: RecordedRuns, options: RecordedOptions): SearchRecord {
  const hypotheses = withThresholds(options);
  const { searched, notices } = answerable(runs, hypotheses);
  const record = new RecordedSearch(runs, searched, options.run).run();
  const notes = [...notices, ...record.notices];
  return { ...record, hypotheses, notices: notes, program: programFacts(runs, record.nodes) };
}

class RecordedSearch {
  private readonly search: Search;
  private readonly hypotheses: ReadonlyMap<string, Hypothesis>;
  /** Those that make no other one more precise, and are measured. */
  private readonly tops: readonly Hypothesis[];
  /** Values of single runs, by experiment. */
  private readonly perRun = new Map<number, readonly number[]>();
  /** Experiments by hypothesis and focus. */
  private readonly asked = new Map<string, number>();
  private readonly end: number;
  private readonly program: SearchedProgram;

  constructor(
    private readonly runs: RecordedRuns,
    hypotheses: readonly Hypothesis[],
    run: string,
  ) {
    const below = new Set(hypotheses.flatMap(({ children }) => children));
    this.hypotheses = new Map(hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
    this.tops = hypotheses.filter(({ id, metric }) => !below.has(id) && metric !== undefined);
    this.end = runSeconds(runs);
    this.program = recordedProgram(runs);
    this.search = new Search({
      hypotheses,
      program: this.program,
      budget: unlimited,
      about: { strategy: 'recorded', run, clock: 'recorded', deepStart: true, costLimit: 1 },
      rules,
    });
  }

  /**
   * Experiments cost nothing here, so two kinds of places are tested, too, that a search along calls and downwards from the whole program misses: a process where a hypothesis holds that does not
   * hold in the mean of all, and a function that is called from so many places that none of its callers shows it.
   */
  run(): SearchRecord {
    this.answer(this.search.start());
    for (const { id, pruned } of this.tops)
      for (const Machine of pruned.includes('Machine') ? [] : this.processes()) {
        const focus = { ...wholeProgram, Machine };
        if (this.isOverlooked(id, focus))
          this.answer(this.search.addRoot({ time: 0, hypothesis: id, focus, priority: 'where' }));
      }
    for (const { id, pruned } of this.tops) {
      const trigger = this.asked.get(keyOf(id, wholeProgram)) ?? -1;
      const isTrue = this.search.node(trigger).truth === 'true' && !pruned.includes('Code');
      for (const path of isTrue ? this.functions() : [])
        if (this.isOverlooked(id, { ...wholeProgram, Code: path }))
          this.answer(this.search.addStarter({ time: 0, trigger, function: path, connecting: [] }));
    }
    this.search.handle({ type: 'ended', time: 0 });
    const record = this.search.record();
    return { ...record, nodes: record.nodes.map((node) => ({ ...node, ...this.measured(node) })) };
  }

  /** What the search does not ask for. */
  private measured({ id, hypothesis, focus, truth }: SearchNode): Pick<SearchNode, 'runs' | 'ranks'> {
    const { metric = '' } = this.hypotheses.get(hypothesis) ?? {};
    return present({
      runs: this.perRun.get(id),
      ranks: truth === 'true' ? this.runs.lateRanks(metric, focus) : undefined,
    });
  }

  private answer(commands: readonly SearchCommand[]): void {
    // Each answer leads to further questions.
    const open = [...commands];
    for (const command of open) {
      if (command.type === 'disable') continue;
      const { experiment, hypothesis, focus } = command;
      this.asked.set(keyOf(hypothesis, focus), experiment);
      const answer = this.runs.answer(this.hypotheses.get(hypothesis)?.metric ?? '', focus);
      if ('values' in answer && answer.values.length > 1) this.perRun.set(experiment, answer.values);
      const event: SearchEvent =
        'missing' in answer
          ? { type: 'failed', time: 0, experiment, message: answer.missing }
          : { type: 'sample', time: 0, experiment, value: answer.value, start: 0, end: this.end };
      open.push(...this.search.handle(event));
    }
  }

  private isOverlooked(id: string, focus: Focus): boolean {
    const { metric = '', holds = 'above', threshold = 0 } = this.hypotheses.get(id) ?? {};
    if (this.asked.has(keyOf(id, focus))) return false;
    const answer = this.runs.answer(metric, focus);
    if ('missing' in answer) return false;
    return holds === 'above' ? answer.value > threshold : answer.value < threshold;
  }

  private processes(): readonly ResourcePath[] {
    const below = (path: ResourcePath): readonly ResourcePath[] =>
      this.program.children('Machine', path).map((name) => [...path, name]);
    return below([]).flatMap(below);
  }

  private functions(): readonly ResourcePath[] {
    return distinctPaths(
      this.runs.runs.flatMap(({ resources }) => resources.code.paths.filter((path) => path !== undefined)),
    );
  }
}

function withThresholds({ hypotheses, thresholds = {} }: RecordedOptions): readonly Hypothesis[] {
  return hypotheses.map((hypothesis) => ({
    ...hypothesis,
    threshold: thresholds[hypothesis.id] ?? hypothesis.threshold,
  }));
}

/**
 * The hypotheses that are searched. One that makes another one more precise and has no values would fail wherever the other one is true: it is left out, with one notice. One that the search begins with
 * fails there, once.
 */
function answerable(
  runs: RecordedRuns,
  all: readonly Hypothesis[],
): { readonly searched: readonly Hypothesis[]; readonly notices: readonly SearchNotice[] } {
  const below = new Set(all.flatMap(({ children }) => children));
  const notices: SearchNotice[] = [];
  const searched = all.filter(({ id, metric }) => {
    const missing = metric === undefined ? undefined : runs.missing(metric);
    if (missing === undefined || !below.has(id)) return true;
    notices.push({ time: 0, message: leftOutNotice(id, missing) });
    return false;
  });
  return { searched, notices: [...notices, ...runs.notes.map((message) => ({ time: 0, message }))] };
}

function runSeconds({ runs }: RecordedRuns): number {
  const longest = largestOf(runs.map(({ runSeconds }) => runSeconds));
  return longest > 0 ? longest : 1;
}

function keyOf(hypothesis: string, focus: Focus): string {
  return `${hypothesis} ${printFocus(focus)}`;
}
