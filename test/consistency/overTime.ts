import type { Property } from '../../src/core/properties/property';
import type { ProfileJson } from '../../src/formats/exports/json';
import { cells, pathNames } from './callTree';
import type { FlatOutput } from './flatProfile';
import { unknownRanks } from './flatProfile';
import { relative, sameNumber } from './numbers';

/** What is read of `kymo dynamics --all --json`. */
export interface DynamicsOutput {
  readonly iterations: number;
  readonly phase?: string;
  readonly series: readonly {
    readonly region: string;
    readonly metric: string;
    readonly kind?: string;
    readonly rank: number;
    readonly thread: number;
    readonly impact: number;
    readonly impactShare: number;
    readonly phaseTime: number;
    readonly patterns: readonly { readonly from: number; readonly to: number }[];
  }[];
  readonly rows: readonly {
    readonly title: string;
    readonly region: string;
    readonly ranks: string;
    readonly iterations: readonly (readonly [number, number])[];
    readonly severity?: number;
    readonly excess?: number;
    readonly excessDeviation?: number;
    readonly chance?: number;
    readonly belowThreshold?: boolean;
    readonly periodic?: {
      readonly period: number;
      readonly jitter: number;
      readonly occurrences: number;
      readonly costEach: number;
      readonly cost: number;
    };
    readonly property: string;
    readonly partOf?: string;
  }[];
  readonly properties: readonly Property[];
}

/** The report over the iterations against itself and the profile of the same run. */
export function dynamicsContradictions(
  dynamics: DynamicsOutput,
  flat: FlatOutput,
  perLocation: ProfileJson,
  findings: readonly Property[],
): readonly string[] {
  const { iterations, phase = '?', series, rows, properties } = dynamics;
  const ids = new Set(properties.map(({ id }) => id));
  return [
    ...ofPhase(dynamics, flat, perLocation),
    ...series.flatMap((own) => [
      ...ofSeries(own, iterations),
      ...(own.region === phase || flat.regions.some(({ name }) => name === own.region)
        ? []
        : [`dynamics: the profile has no region ${own.region}`]),
    ]),
    ...rows.flatMap((row) => [
      ...unknownRanks(`dynamics: ${row.title} of ${row.region}`, row.ranks, flat.locations),
      ...row.iterations.flatMap(([from, to]) =>
        outside(`dynamics: ${row.title} of ${row.region}`, from, to, iterations),
      ),
      // The excess may be more, with the time that the run stays slow afterwards (docs/dynamics.md).
      ...((row.severity ?? 0) >= 0 && (row.severity ?? 0) <= 1 + relative
        ? []
        : [`dynamics: ${row.title} costs ${row.severity}`]),
      ...(row.periodic === undefined
        ? []
        : sameNumber(
            `dynamics: ${row.title} of ${row.region}: its cost, and that of each peak`,
            row.periodic.cost,
            row.periodic.costEach * row.periodic.occurrences,
          )),
      ...(ids.has(row.property) ? [] : [`dynamics: ${row.title} of ${row.region} is no property`]),
    ]),
    ...kindsOfOneRegion(properties, findings),
  ];
}

function ofSeries(
  { region, rank, thread, impact, impactShare, phaseTime, patterns }: DynamicsOutput['series'][number],
  iterations: number,
): readonly string[] {
  const what = `dynamics: ${region} at rank ${rank}, thread ${thread}`;
  return [
    ...sameNumber(`${what}: its share, and its impact`, impactShare * phaseTime, impact),
    ...patterns.flatMap(({ from, to }) => outside(what, from, to, iterations)),
  ];
}

function outside(what: string, from: number, to: number, iterations: number): readonly string[] {
  return from >= 1 && from <= to && to <= iterations
    ? []
    : [`${what}: iterations ${from} to ${to} of ${iterations}`];
}

/** Iterations are visits of the phase: as many as the process has that has most. */
function ofPhase(
  { iterations, phase = '?' }: DynamicsOutput,
  flat: FlatOutput,
  perLocation: ProfileJson,
): readonly string[] {
  const names = pathNames(perLocation);
  const visits = cells(perLocation, 'visits', 'exclusive');
  const isInstance = (path: number): boolean => / > instance=\d+$/.test(names[path] ?? '');
  const instances = names.filter((_, path) => isInstance(path)).length;
  const ranks = [...new Set(perLocation.locations.map(({ rank }) => rank))];
  const counts = ranks.map((rank) =>
    names.reduce((sum, name, path) => {
      const region = perLocation.regions[perLocation.callTree[path]?.region ?? -1]?.name;
      const isOfPhase =
        region === phase ||
        (isInstance(path) && names[perLocation.callTree[path]?.parent ?? -1]?.endsWith(phase) === true);
      return isOfPhase && name !== ''
        ? sum +
            perLocation.locations.reduce(
              (all, own, location) => (own.rank === rank ? all + (visits[path]?.[location] ?? 0) : all),
              0,
            )
        : sum;
    }, 0),
  );
  const row = flat.functions?.find(({ name }) => name === phase);
  return [
    ...(instances === 0
      ? []
      : sameNumber('iterations, and instances in the profile', iterations, instances / phasesIn(names))),
    ...sameNumber('iterations, and visits of the phase', iterations, Math.max(...counts)),
    ...sameNumber(
      'visits of the phase by all processes',
      row?.visits,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  ];
}

/** Number of call paths of the phase, each of which has instances. */
function phasesIn(names: readonly string[]): number {
  return new Set(
    names.filter((name) => / > instance=\d+$/.test(name)).map((name) => name.replace(/ > instance=\d+$/, '')),
  ).size;
}

/** What computes in one output does not wait in the other one. */
function kindsOfOneRegion(overTime: readonly Property[], ofRun: readonly Property[]): readonly string[] {
  const plain = new Set(['hot-spot', 'synchronisation', 'communication', 'io']);
  const kinds = new Map<string, string>();
  for (const { kind, region } of ofRun)
    if (region !== undefined && plain.has(kind)) kinds.set(region.name, kind);
  return overTime.flatMap(({ kind, region, title }) => {
    const other = kinds.get(region?.name ?? '');
    return region === undefined || other === undefined || !plain.has(kind) || other === kind
      ? []
      : [`“${title}” is ${kind} over time, and ${region.name} is ${other} in the run`];
  });
}
