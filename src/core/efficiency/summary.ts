import type { Efficiencies } from './efficiencies';
import { efficiencyTerms, termValues } from './terms';

/** The metrics of a run, and of its phase, for a small table: plain data that any process can be sent. */
export interface EfficiencySummary {
  readonly terms: readonly {
    readonly label: string;
    readonly definition: string;
    /** 0…1 */
    readonly run: number;
    readonly phase?: number;
  }[];
  /** Name of the phase, if it has values. */
  readonly phase?: string;
  readonly processes: number;
  readonly locations: number;
  /** What the shares of the run, and of the phase, are of. */
  readonly runSeconds: number;
  readonly phaseSeconds?: number;
  readonly notes: readonly string[];
}

export function efficiencySummary(
  { run, phase, notes }: Efficiencies,
  nameOf: (region: number) => string,
): EfficiencySummary {
  const { processes, locations, runSeconds } = run;
  const ofPhase = new Map(
    phase === undefined ? [] : termValues(phase.efficiency).map(({ term, value }) => [term, value] as const),
  );
  return {
    terms: termValues(run).map(({ term, value }) => {
      const own = ofPhase.get(term);
      return { ...efficiencyTerms[term], run: value, ...(own === undefined ? {} : { phase: own }) };
    }),
    ...(phase === undefined
      ? {}
      : { phase: nameOf(phase.region), phaseSeconds: phase.efficiency.runSeconds }),
    processes,
    locations,
    runSeconds,
    notes,
  };
}
