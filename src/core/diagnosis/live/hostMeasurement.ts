import type { MeasurementCommand, MeasurementEvent } from '../strategies/messages';
import type { CodeNames } from './codeTree';
import type { LiveData, LiveWindow } from './liveWindow';

interface Measured extends LiveData {
  /** Whether its function must be recorded: not while windows have nothing of its metric anywhere. */
  isWanted: boolean;
  isAccepted: boolean;
  isDeferred: boolean;
  /** Windows without a value since it was asked for. */
  without: number;
  /** Why the last window had none. */
  missing: string;
}

/** Windows without a value after which an experiment counts as one that cannot be measured yet. */
const patience = 3;
const nothingMeasured = 'The program ended before anything was measured.';

/**
 * The measurement on the host of an agent, answered from windows of the profiles of its processes. What was recorded before it was asked for is delivered at
 * once, so that an experiment at a process, at a synchronisation object or at a function that is recorded anyway concludes without waiting. Functions that are
 * asked for have to be switched on (`wanted`) before windows have values of them.
 */
export class HostMeasurement {
  private readonly measured = new Map<string, Measured>();
  private readonly windows: LiveWindow[] = [];
  private events: MeasurementEvent[] = [];

  /** @param mostWindows windows that are kept for what is asked for later */
  constructor(
    private readonly names: Pick<CodeNames, 'keyOf'>,
    private readonly mostWindows: number,
  ) {}

  /** Keys of the functions that are measured. */
  get wanted(): ReadonlySet<string> {
    const wanted = [...this.measured.values()].filter(({ isWanted }) => isWanted);
    return new Set(wanted.flatMap(({ key }) => (key === undefined ? [] : [key])));
  }

  readonly command = (command: MeasurementCommand): void => {
    const { data } = command;
    if (command.type === 'end') {
      this.measured.delete(data);
      return;
    }
    const { metric, focus } = command;
    const key = focus.Code.length === 0 ? undefined : this.names.keyOf(focus.Code);
    if (focus.Code.length > 0 && key === undefined) {
      this.events.push({
        type: 'failed',
        data,
        message: 'The program has no such function that can be recorded.',
      });
      return;
    }
    const one: Measured = {
      ...{ metric, focus, key, isWanted: true, isAccepted: false, isDeferred: false, without: 0 },
      missing: nothingMeasured,
    };
    this.measured.set(data, one);
    for (const window of this.windows) this.measure(data, one, window);
  };

  /** A window is over. The last one must end where it begins, or before. */
  add(window: LiveWindow): void {
    this.windows.push(window);
    if (this.windows.length > this.mostWindows) this.windows.shift();
    for (const [data, one] of this.measured) {
      this.measure(data, one, window);
      if (one.isAccepted || one.isDeferred || ++one.without < patience) continue;
      one.isDeferred = true;
      this.events.push({ type: 'deferred', data });
    }
  }

  /** Recording these takes too much: it ends, and nothing more is known of them. @param why by key */
  giveUp(why: ReadonlyMap<string, string>): void {
    for (const [data, { key = '', isWanted }] of this.measured) {
      const message = why.get(key);
      if (message === undefined || !isWanted) continue;
      this.measured.delete(data);
      this.events.push({ type: 'failed', data, message });
    }
  }

  /** The program has ended: what was never measured never will be. */
  end(): void {
    for (const [data, { isAccepted, missing }] of this.measured)
      if (!isAccepted) this.events.push({ type: 'failed', data, message: missing });
  }

  takeEvents(): readonly MeasurementEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  private measure(data: string, one: Measured, window: LiveWindow): void {
    one.isWanted = window.values.missing(one.metric) === undefined;
    const answer = window.answer(one);
    if ('missing' in answer) {
      one.missing = answer.missing;
      return;
    }
    if (!one.isAccepted) this.events.push({ type: 'accepted', data });
    one.isAccepted = true;
    this.events.push({ type: 'sample', data, value: answer.value, start: window.start, end: window.end });
  }
}
