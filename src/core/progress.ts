/** Of a refinement: the program is built, runs, or its results decide what is recorded next. */
export type WorkPhase = 'building' | 'running' | 'deciding';

/** Where long work reports what it is doing. Implementations must return quickly and never throw. */
export interface ProgressSink {
  /** `fraction` is 0…1 of the whole work when that is known; `remainingSeconds` an honest estimate or absent. */
  report(step: {
    readonly message: string;
    readonly fraction?: number;
    readonly remainingSeconds?: number;
    readonly phase?: WorkPhase;
  }): void;
  /** A line for the log: a command that is run, or output of a program that was started. */
  log(line: string): void;
}

/** A sink that forgets everything. */
export const silent: ProgressSink = { report: () => undefined, log: () => undefined };

/** Reports to `sink`; where a later part of the work begins at a smaller fraction, its steps come without one until they are further. */
export function forwardOnly(sink: ProgressSink): ProgressSink {
  let furthest = 0;
  return {
    report: ({ fraction, ...step }) => {
      const isForward = fraction !== undefined && fraction >= furthest;
      if (isForward) furthest = fraction;
      sink.report(isForward ? { ...step, fraction } : step);
    },
    log: (line) => sink.log(line),
  };
}
