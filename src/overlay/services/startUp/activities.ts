/** How an activity of the start-up moves its data. */
export type StartUpMechanism =
  /** All processes answer with data that differ; messages grow on the way up. */
  | 'concatenation'
  /** Equal data are a class: one hash value per process, and the full data from one process of each class only. */
  | 'classes'
  /** Repeated broadcasts and reductions with time stamps. */
  | 'clock-skew'
  /** Each process by itself, beside everything else. */
  | 'local'
  /** The front end waits until all processes are ready. */
  | 'wait-for-all';

export interface StartUpActivity {
  readonly name: StartUpActivityName;
  readonly title: string;
  readonly mechanism: StartUpMechanism;
  /** Whether the front end asks with a broadcast. */
  readonly isAsked: boolean;
  /** Activities that have to be complete before; those of a process itself where the mechanism is `local`. */
  readonly after: readonly StartUpActivityName[];
}

export type StartUpActivityName =
  | 'report-self'
  | 'report-metrics'
  | 'clock-skew'
  | 'parse-executable'
  | 'report-process'
  | 'report-machine'
  | 'report-code'
  | 'report-call-graph'
  | 'report-done';

/**
 * The nine activities between the start of all agents and the start of the program, in order (Roth 2005, sections 4.3.1 and 4.4.2). Which data are
 * likely equal in many processes decides the mechanism. Clocks are measured while nothing else is on its way, because queues lengthen
 * round trips.
 */
export const startUpActivities: readonly StartUpActivity[] = [
  { name: 'report-self', title: 'Report self', mechanism: 'concatenation', isAsked: false, after: [] },
  {
    name: 'report-metrics',
    title: 'Report metrics',
    mechanism: 'classes',
    isAsked: true,
    after: ['report-self'],
  },
  {
    name: 'clock-skew',
    title: 'Find clock skew',
    mechanism: 'clock-skew',
    isAsked: true,
    after: ['report-metrics'],
  },
  { name: 'parse-executable', title: 'Parse executable', mechanism: 'local', isAsked: false, after: [] },
  {
    name: 'report-process',
    title: 'Report process',
    mechanism: 'concatenation',
    isAsked: false,
    after: ['clock-skew'],
  },
  {
    name: 'report-machine',
    title: 'Report machine resources',
    mechanism: 'concatenation',
    isAsked: false,
    after: ['report-process'],
  },
  {
    name: 'report-code',
    title: 'Report code resources',
    mechanism: 'classes',
    isAsked: false,
    after: ['parse-executable', 'report-machine'],
  },
  {
    name: 'report-call-graph',
    title: 'Report call graph',
    mechanism: 'classes',
    isAsked: false,
    after: ['report-code'],
  },
  {
    name: 'report-done',
    title: 'Report done',
    mechanism: 'wait-for-all',
    isAsked: false,
    after: ['report-call-graph'],
  },
];
