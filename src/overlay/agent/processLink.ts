import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import type { ControlRequest } from '../../formats/control/requests';

/** Receives whatever the process says: definitions, values and samples, answers included. May throw to end the connection. */
export type ControlListener = (message: ControlMessage) => void;

/** A process that is watched, directly or through the tree. Whatever goes wrong on the way, the process runs on. */
export interface ProcessLink {
  /** The answer; of several parts, the last. @throws KymoError `process-ended`, `request-refused` */
  ask(request: ControlRequest): Promise<ControlMessage>;
  /** @throws KymoError `process-ended` */
  state(): Promise<ProcessState>;
  /** Nothing more comes while it is paused; the process drops samples then, and runs on. */
  pause(isPaused: boolean): void;
  close(): void;
  /** Resolves when the connection is over. */
  readonly over: Promise<void>;
}

export interface OpenedProcess {
  readonly connection: ProcessLink;
  readonly state: ProcessState;
}

/** Where the processes of a run are: on this host (`localProcesses`), or on those of agents (`RemoteProcesses`). */
export interface ProcessSource {
  /**
   * Names of sockets, `<host>.<pid>.control`; processes that have ended may be among them, and new ones come at any time.
   * @throws KymoError `not-watchable` when a process of the run can never be reached from here
   */
  names(): Promise<readonly string[]>;
  /** Processes of the run that are known and are not opened here, and the ranks of the job as they tell; default: none. */
  readonly elsewhere?: { readonly processes: number; readonly ranks: number };
  /** @throws KymoError `not-watchable` */
  open(name: string, listener: ControlListener): Promise<OpenedProcess>;
}
