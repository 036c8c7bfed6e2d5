import { isKymoError } from '../../core/errors';
import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import type { NamedRegion } from '../../formats/kymo-result/resultFile';
import {
  LiveIterations,
  type LiveSample,
  type LiveStream,
  type WatchedProgram,
} from '../../measurement/results/live/liveIterations';
import type { JobObserver, ObservedProcess } from './watchedJob';

/** A process that is so far ahead of others is not read until they follow: it drops samples then, and runs on. */
const mostWaiting = 1 << 15;

interface Sending {
  readonly process: ObservedProcess;
  readonly stream: LiveStream;
  isPaused: boolean;
  /** The process has said so itself. */
  hasEnded: boolean;
}

/** The iterations that the processes of a job send, merged. */
export class IterationStreams implements JobObserver {
  readonly live: LiveIterations;
  private readonly sending = new Map<string, Sending>();
  /** Processes that were lost within their iterations: those of the others alone would look shorter than they are, so that none is taken until they are back. */
  private readonly lost = new Map<string, LiveStream>();
  /** Of all processes, those that have ended too. */
  private readonly results: ObservedProcess['result'][] = [];

  constructor(program: WatchedProgram) {
    this.live = new LiveIterations(program);
  }

  began(process: ObservedProcess): (message: ControlMessage) => void {
    const { name, result, connection } = process;
    const { pid, host } = result.process;
    const stream = this.live.begin(() => result.process.rank, `Process ${pid} on ${host}`);
    const sending: Sending = { process, stream, isPaused: false, hasEnded: false };
    this.sending.set(name, sending);
    this.results.push(result);
    this.lost.get(name)?.end();
    this.lost.delete(name);
    // A process that has ended, or has no iterations, sends none.
    connection.ask({ kind: 'iterations', on: true }).catch(ignoreKymo);
    return (message) => {
      if (message.kind === 'end') sending.hasEnded = true;
      // From now on its clocks stand still.
      else if (message.kind === 'suspended') connection.state().catch(ignoreKymo);
      else if (message.kind === 'nodes') stream.define(message.first, message.nodes);
      else if (message.kind === 'iteration') {
        const {
          namedRegions: regions,
          process: { ticksPerSecond },
        } = result;
        stream.add(message, { regions, ticksPerSecond });
        this.balance(sending, stream.waiting > mostWaiting);
      }
    };
  }

  ended(name: string): void {
    const sending = this.sending.get(name);
    if (sending?.hasEnded === false && sending.stream.hasBegun) this.lost.set(name, sending.stream);
    else sending?.stream.end();
    this.sending.delete(name);
  }

  /** The iterations that all processes have, in order, each once. */
  take(): readonly LiveSample[] {
    const samples = this.live.take();
    for (const sending of this.sending.values())
      if (sending.stream.waiting === 0) this.balance(sending, false);
    return samples;
  }

  get namedRegions(): readonly NamedRegion[] {
    return this.results.flatMap(({ namedRegions }) => namedRegions);
  }

  /** What all said of themselves last. */
  get processes(): readonly ProcessState[] {
    return this.results.map(({ process }) => process);
  }

  private balance(sending: Sending, isPaused: boolean): void {
    if (sending.isPaused === isPaused) return;
    sending.isPaused = isPaused;
    sending.process.connection.pause(isPaused);
  }
}

function ignoreKymo(error: unknown): void {
  if (!isKymoError(error)) throw error;
}
