import type { StackSample } from '../deepStart/functionCountGraph';
import type { Folding } from '../folding/folding';
import { FoldingSender } from '../folding/foldingSender';
import { Numbering } from '../folding/searchSource';
import type { Budget, SearchCommand, SearchEvent, SearchedProgram } from '../search/messages';
import type { SearchRecord, Truth } from '../search/searchRecord';
import type { AgentPlace } from './agent';
import { foldedSearch } from './foldedSearch';
import type { SearchStart, ToAgent } from './messages';
import { SteeredSearch } from './steeredSearch';

/** The search of an agent, restricted to its host, and the changes of its folded results. */
export class LocalSearch {
  private readonly steered: SteeredSearch;
  private readonly sender = new FoldingSender('delta');
  private readonly numbering: Numbering;
  private readonly truths: Truth[] = [];

  constructor(
    start: SearchStart,
    private readonly place: AgentPlace,
    program: SearchedProgram,
    budget: Budget,
  ) {
    const { hypotheses, strategy, run, clock, costLimit, rules, deepStart } = start;
    const about = { strategy, run, clock, costLimit, deepStart: deepStart !== undefined };
    const options = { hypotheses, program, budget, about, ...(rules && { rules }) };
    this.steered = new SteeredSearch(options, start);
    this.numbering = new Numbering(place.hostNumber, place.firstProcess);
  }

  get conclusions(): number {
    return this.steered.search.conclusions;
  }

  get record(): SearchRecord {
    return this.steered.search.record();
  }

  get isSteady(): boolean {
    const { state } = this.steered.search;
    return state !== 'searching' && state !== 'paused';
  }

  /** With all hypotheses at this host, refined to its processes first, as if each had been reached from the whole program. */
  begin(): readonly SearchCommand[] {
    const focus = { Code: [], Machine: [this.place.host], SyncObject: [] };
    return this.steered.search.start({ focus, along: 'Machine' });
  }

  delegate(time: number, message: Extract<ToAgent, { readonly type: 'delegate' }>): readonly SearchCommand[] {
    return this.steered.search.addRoot({ ...message, time });
  }

  handle(event: SearchEvent): readonly SearchCommand[] {
    return this.steered.search.handle(event);
  }

  addStacks(stacks: readonly StackSample[]): void {
    this.steered.addStacks(stacks);
  }

  machineOf(experiment: number): readonly string[] {
    return this.steered.search.node(experiment).focus.Machine;
  }

  /** Sees what has changed. @returns what the search asks for because of stack samples */
  proceed(time: number): readonly SearchCommand[] {
    const { changed, commands } = this.steered.news(time);
    for (const { id, truth } of changed) {
      if (this.truths[id] !== truth) this.sender.changed(time);
      this.truths[id] = truth;
    }
    return commands;
  }

  /** How the folded results differ from those that were sent; undefined: they do not, or the change waits for others. */
  takeChange(time: number): Folding | undefined {
    const { due } = this.sender;
    if (due === undefined || time < due) return undefined;
    return this.sender.take(foldedSearch(this.record, this.numbering));
  }

  /** All results are sent the next time. */
  sendAll(time: number): void {
    this.sender.sendAll(time);
  }
}
