import { formatSeconds } from '../../src/core/format';
import type { Efficiency, Factors } from '../../src/core/efficiency/efficiency';
import type { Property } from '../../src/core/properties/property';
import type { EfficiencyReport } from '../../src/workflows/efficiency';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import type { FlatOutput } from './flatProfile';
import { unknownRanks } from './flatProfile';
import { relative, sameNumber } from './numbers';

/** `kymo efficiency --json` against itself, the flat profile and the findings of the same run, and `functions.json` of the study. */
export function efficiencyContradictions(
  { base, run, phase, functions, notes }: EfficiencyReport,
  flat: FlatOutput,
  findings: readonly Property[],
  stored: readonly StoredRow[],
): readonly string[] {
  const byKey = new Map(stored.map((row) => [row.key, row]));
  const rows = new Map((flat.functions ?? []).map((row) => [row.key, row]));
  const again = phase === undefined ? undefined : functions.find(({ key }) => key === phase.key);
  return [
    ...sameNumber('run time of efficiency, and its base', run.runSeconds, base.seconds),
    ...ofStart(notes, flat),
    ...ofEfficiency('the run', run, flat),
    ...functions.flatMap((own) => [
      ...ofEfficiency(own.name, own, flat),
      ...(rows.has(own.key) ? [] : [`efficiency: ${own.name} is no function of the profile`]),
      ...ofStored(own.name, own, byKey.get(own.key)?.efficiency, base.run),
    ]),
    ...(phase === undefined || JSON.stringify(again) === JSON.stringify(phase)
      ? []
      : [`efficiency: ${phase.name} is another one as the phase than as a function`]),
    ...findings.flatMap((finding) => ofFinding(finding, finding.region === undefined ? run : phase)),
  ];
}

/** Starting and ending MPI takes as long as the flat profile says. */
function ofStart(notes: readonly string[], { base }: FlatOutput): readonly string[] {
  const start = base?.leftOut.find(({ what }) => what === 'MPI start and end');
  if (start === undefined) return [];
  const words = `${formatSeconds(start.seconds)} of MPI’s start and end`;
  return notes.some((note) => note.startsWith(words)) ? [] : [`efficiency leaves out other than ${words}`];
}

const slack = 1 + relative;

function ofEfficiency(what: string, own: Efficiency, { locations }: FlatOutput): readonly string[] {
  const { mpi, threads, serialisation, transfer, meanSeconds, maximumSeconds, runSeconds } = own;
  const ranks = new Set(locations.map(({ rank }) => rank)).size;
  return [
    ...ofFactors(what, own),
    ...(mpi === undefined ? [] : ofFactors(`${what}, MPI`, mpi)),
    ...(threads === undefined ? [] : ofFactors(`${what}, threads`, threads)),
    ...(mpi === undefined || threads === undefined
      ? []
      : sameNumber(
          `${what}: parallel efficiency, and MPI × threads`,
          own.parallel,
          mpi.parallel * threads.parallel,
        )),
    ...(serialisation === undefined || transfer === undefined
      ? []
      : [
          ...outside(what, { serialisation, transfer }),
          ...sameNumber(
            `${what}: communication efficiency, and serialisation × transfer`,
            (mpi ?? own).communication,
            serialisation * transfer,
          ),
        ]),
    ...sameNumber(
      `${what}: parallel efficiency, and mean ÷ run time`,
      own.parallel,
      meanSeconds / runSeconds,
    ),
    ...(meanSeconds <= maximumSeconds * slack && maximumSeconds <= runSeconds * slack
      ? []
      : [`${what}: mean ${meanSeconds}, maximum ${maximumSeconds}, run time ${runSeconds} s`]),
    ...(own.processes === ranks ? [] : [`${what}: ${own.processes} processes of ${ranks}`]),
    ...(own.locations <= locations.length
      ? []
      : [`${what}: ${own.locations} threads of ${locations.length}`]),
    ...unknownRanks(`efficiency of ${what}`, own.slowestRanks, locations),
  ];
}

function ofFactors(what: string, { parallel, loadBalance, communication }: Factors): readonly string[] {
  return [
    ...outside(what, { parallel, loadBalance, communication }),
    ...sameNumber(
      `${what}: parallel efficiency, and load balance × communication efficiency`,
      parallel,
      loadBalance * communication,
    ),
  ];
}

function outside(what: string, shares: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(shares).flatMap(([name, share]) =>
    share >= 0 && share <= slack ? [] : [`${what}: ${name} is ${share}`],
  );
}

/** What the rows of the study have of it, where they are of the same run. */
function ofStored(
  name: string,
  own: Efficiency,
  row: StoredRow['efficiency'],
  run: string,
): readonly string[] {
  if (row === undefined) return [];
  return (['parallel', 'loadBalance', 'communication', 'runSeconds'] as const).flatMap((what) =>
    sameNumber(`${what} of ${name} in ${run}, by efficiency and in functions.json`, own[what], row[what]),
  );
}

function ofFinding(
  { kind, title, severity, evidence }: Property,
  of: Efficiency | undefined,
): readonly string[] {
  if (kind !== 'parallel-efficiency' || of === undefined) return [];
  const known: Readonly<Record<string, number | undefined>> = {
    parallelEfficiency: of.parallel,
    loadBalance: of.loadBalance,
    communicationEfficiency: of.communication,
    serialisationEfficiency: of.serialisation,
    transferEfficiency: of.transfer,
    mpiParallelEfficiency: of.mpi?.parallel,
    threadParallelEfficiency: of.threads?.parallel,
    processes: of.processes,
    locations: of.locations,
    runSeconds: of.runSeconds,
  };
  return [
    ...sameNumber(`${title}: its severity, and what is lost`, severity, 1 - of.parallel),
    ...Object.entries(evidence).flatMap(([name, value]) =>
      sameNumber(`${title}: ${name}, and by efficiency`, value, known[name]),
    ),
  ];
}
