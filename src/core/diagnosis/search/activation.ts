import { ActivationQueue } from './activationQueue';
import { slowDown } from './costThrottle';
import type { Experiment } from './experiment';
import type { Budget, SearchCommand } from './messages';
import type { Notices } from './notices';
import type { SearchRules } from './searchOptions';
import type { Activity } from './searchRecord';

/** What the activation asks of the search, and reports to it. */
interface ActivationOwner {
  readonly now: number;
  readonly rules: SearchRules;
  readonly budget: Budget;
  readonly costLimit: number;
  readonly notices: Notices;
  readonly isWanted: (experiment: Experiment) => boolean;
  /** What measuring it would cost now: less where others measure there, too. */
  readonly predictedCost: (experiment: Experiment) => number;
  readonly changed: (experiment: Experiment) => void;
  /** It will never be measured, and has its problem. */
  readonly skipped: (experiment: Experiment) => void;
}

/** Too many experiments are measured, or the cost limit is reached. */
type Refusal = 'too many' | 'later';

/** Which experiments are measured, which wait for that, and what measuring them costs (Roth 2005, chapter 3 and section 6.1.3). */
export class Activation {
  private readonly queue = new ActivationQueue<Experiment>();
  private readonly counts: Record<Activity, number> = {
    inactive: 0,
    waiting: 0,
    requested: 0,
    deferred: 0,
    active: 0,
  };
  /** Measured experiments whose values have not agreed for long enough since they were asked for. */
  private readonly undecided = new Set<Experiment>();
  /** True ones that are still measured and whose values agree, those that have agreed for longest first, without persistent ones. */
  private readonly watched = new Set<Experiment>();
  /** Whether the cost is observed, and whether that was after the last measurement was removed. */
  private costIs: 'not observed' | 'old' | 'new' = 'not observed';
  /** Whether nothing that waits fits. */
  private isBlocked = false;
  /** Whether that was noticed. */
  private isSlowed = false;
  private commands: SearchCommand[] = [];

  constructor(private readonly owner: ActivationOwner) {}

  /** Nothing is asked for, everything measured has concluded, and nothing that waits would fit. */
  get isAtRest(): boolean {
    const nothingFits = this.queue.first() === undefined || (this.isBlocked && this.costIs !== 'old');
    return nothingFits && this.counts.requested === 0 && this.undecided.size === 0;
  }

  takeCommands(): readonly SearchCommand[] {
    const { commands } = this;
    this.commands = [];
    return commands;
  }

  wait(experiment: Experiment): void {
    this.set(experiment, 'waiting');
    this.queue.push(experiment);
  }

  raised(experiment: Experiment): void {
    if (experiment.activity === 'waiting') this.queue.push(experiment);
  }

  /** @param time from when on it is measured */
  begin(experiment: Experiment, time: number): void {
    experiment.begin(time);
    this.set(experiment, 'active');
    this.undecided.add(experiment);
  }

  defer(experiment: Experiment): void {
    this.set(experiment, 'deferred');
  }

  /** Its values have agreed: true ones are watched on, false ones are not measured any more. */
  decided(experiment: Experiment, says: boolean): void {
    this.undecided.delete(experiment);
    if (experiment.isPersistent) return;
    if (says) this.watched.add(experiment);
    else this.disable(experiment);
  }

  /** Its values do not agree now: it must stay measured until they do. */
  doubted(experiment: Experiment): void {
    this.watched.delete(experiment);
  }

  /** It has to conclude anew, as if it had not before. */
  reopen(experiment: Experiment): void {
    if (experiment.activity !== 'active') return;
    this.undecided.add(experiment);
    this.watched.delete(experiment);
  }

  observe(share: number): void {
    this.owner.budget.observe(share);
    this.costIs = 'new';
  }

  disable(experiment: Experiment): void {
    if (isAskedFor(experiment)) this.commands.push({ type: 'disable', experiment: experiment.id });
    this.forget(experiment);
  }

  /** Nobody measures it, and nobody has to be told. */
  forget(experiment: Experiment): void {
    if (isAskedFor(experiment)) {
      this.owner.budget.release(experiment.id);
      if (this.costIs === 'new') this.costIs = 'old';
    }
    this.undecided.delete(experiment);
    this.watched.delete(experiment);
    this.set(experiment, 'inactive');
  }

  /** Asks for as many experiments as the limits allow. */
  advance(): void {
    const { isWanted, rules } = this.owner;
    this.isBlocked = false;
    for (let next = this.queue.first(); next !== undefined; next = this.queue.first()) {
      if (!isWanted(next)) {
        this.set(next, 'inactive');
        continue;
      }
      if (this.counts.requested >= rules.maxPending) return;
      const answer = this.admit(next);
      if (answer === 'admitted') this.enable(next);
      else if (answer === 'never') this.skip(next);
      else if (!this.makeRoom(answer)) {
        this.isBlocked = true;
        return;
      }
    }
    if (!this.isSlowed) return;
    this.isSlowed = false;
    this.notice('slowed', 'The cost limit does not slow the search any more.');
  }

  private admit(experiment: Experiment): 'admitted' | Refusal | 'never' {
    const { budget, costLimit, rules } = this.owner;
    const { requested, deferred, active } = this.counts;
    if (requested + deferred + active >= rules.maxActive) return 'too many';
    experiment.predictedCost = this.owner.predictedCost(experiment);
    const answer = budget.admit(experiment.id, experiment.predictedCost, experiment.priority);
    if (answer === 'later' && !this.isSlowed) {
      this.isSlowed = true;
      this.notice(
        'slowed',
        `The cost limit slows the search: experiments wait, because measuring may make the program at most ${factorText(costLimit)} times as slow.`,
      );
    }
    return answer;
  }

  /**
   * Stops measuring the true experiment that was concluded first: what has no conclusion yet comes before what is only watched. The experiment keeps its conclusion, and has
   * been refined.
   * @returns whether there was one, and what is left may fit now
   */
  private makeRoom(answer: Refusal): boolean {
    const [oldest] = this.watched;
    // What was removed before may have made enough room.
    if (oldest === undefined || (answer === 'later' && this.costIs === 'old')) return false;
    this.disable(oldest);
    return true;
  }

  private enable(experiment: Experiment): void {
    this.set(experiment, 'requested');
    const { id, hypothesis, focus } = experiment;
    this.commands.push({ type: 'enable', experiment: id, hypothesis: hypothesis.record.id, focus });
  }

  private skip(experiment: Experiment): void {
    const factor = factorText(slowDown(experiment.predictedCost));
    experiment.problem = `Its predicted cost exceeds the limit: measuring it would make the program ${factor} times as slow, and ${factorText(this.owner.costLimit)} is allowed.`;
    this.set(experiment, 'inactive');
    this.notice('skipped', `Experiment ${experiment.id} is skipped. ${experiment.problem}`);
    this.owner.skipped(experiment);
  }

  private notice(kind: string, message: string): void {
    this.owner.notices.add(kind, this.owner.now, message);
  }

  private set(experiment: Experiment, activity: Activity): void {
    this.counts[experiment.activity] -= 1;
    experiment.activity = activity;
    this.counts[activity] += 1;
    this.owner.changed(experiment);
  }
}

/** `1.0309`, of a share of 3 percent, whose factor has digits without end. */
function factorText(factor: number): string {
  return Number.isFinite(factor) ? String(Number(factor.toFixed(4))) : 'infinitely many';
}

function isAskedFor({ activity }: Experiment): boolean {
  return activity !== 'inactive' && activity !== 'waiting';
}
