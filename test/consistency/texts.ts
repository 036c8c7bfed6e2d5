import { formatCount, formatPercent, formatSeconds, formatValue } from '../../src/core/format';
import type { Property } from '../../src/core/properties/property';
import type { EfficiencyReport } from '../../src/workflows/efficiency';
import type { FlatOutput } from './flatProfile';
import type { DynamicsOutput } from './overTime';

/** The lines of the table that begins with a head, as cells by column; columns are two blanks apart. */
export function tableAfter(text: string, head: RegExp): readonly Readonly<Record<string, string>>[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => head.test(line));
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && (line === '' || !/ {2}/.test(line)));
  const rows = lines.slice(start, end < 0 ? undefined : end);
  const [heads = ''] = rows;
  return rows.slice(1).map((row) => cellsOf(heads, row));
}

/** A cell belongs to the head that it overlaps: numbers end where their head ends, texts begin where it begins. */
function cellsOf(heads: string, row: string): Readonly<Record<string, string>> {
  const parts = (line: string): readonly { text: string; from: number; to: number }[] =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
      text: match[0],
      from: match.index,
      to: match.index + match[0].length,
    }));
  const own = parts(row);
  return Object.fromEntries(
    parts(heads).map(({ text, from, to }) => [
      text,
      own.find((cell) => cell.from < to && cell.to > from)?.text ?? '',
    ]),
  );
}

/** A sentence where the text for people has something else than the JSON. */
export function differs(what: string, text: string | undefined, json: string): readonly string[] {
  return text === json ? [] : [`${what} is ${text ?? 'nothing'} in the text and ${json} in the JSON`];
}

/** `kymo profile show --top N`, for all functions, with `--per-location` or without. */
export function profileTextContradictions(
  text: string,
  { functions = [], locations }: FlatOutput,
): readonly string[] {
  const rows = tableAfter(text, /^exclusive +inclusive /);
  if (rows.length !== functions.length)
    return [`profile show prints ${rows.length} of ${functions.length} functions`];
  return functions.flatMap((own, at) => {
    const row = rows[at] ?? {};
    const what = `profile show: ${own.name}`;
    const { mean } = row;
    return [
      ...differs(`${what}: exclusive share`, row.exclusive, formatPercent(own.exclusiveShare)),
      ...differs(`${what}: inclusive share`, row.inclusive, formatPercent(own.inclusiveShare)),
      ...differs(`${what}: exclusive time`, row['exclusive time'], formatSeconds(own.exclusiveSeconds)),
      ...differs(`${what}: inclusive time`, row['inclusive time'], formatSeconds(own.inclusiveSeconds)),
      ...differs(`${what}: visits`, row.visits, formatCount(own.visits)),
      ...(row.waiting === undefined
        ? []
        : differs(`${what}: waiting`, row.waiting, formatSeconds(own.waiting?.inclusiveSeconds ?? 0))),
      ...(mean === undefined
        ? []
        : differs(
            `${what}: mean over the threads`,
            mean,
            formatValue(own.exclusiveSeconds / locations.length, 'sec'),
          )),
    ];
  });
}

/** The part of `kymo profile show --ranks` that is of ranks. */
export function ranksTextContradictions(text: string, { ranks = [] }: FlatOutput): readonly string[] {
  const rows = tableAfter(text, /^rank +computation /);
  return ranks.flatMap((own, at) => {
    const row = rows[at] ?? {};
    const what = `profile show --ranks: rank ${own.rank}`;
    return [
      ...differs(`${what}, computing`, row.computation, formatSeconds(own.computingSeconds)),
      ...differs(`${what}, other waiting`, row['other waiting'], formatSeconds(own.otherSeconds)),
      ...(own.waitingSeconds === undefined
        ? []
        : differs(`${what}, waiting`, row['waiting for ranks'], formatSeconds(own.waitingSeconds))),
    ];
  });
}

/** `kymo properties`: the same findings in the same order. */
export function findingsTextContradictions(text: string, findings: readonly Property[]): readonly string[] {
  const rows = tableAfter(text, /^severity +kind /);
  if (rows.length !== findings.length)
    return [`properties prints ${rows.length} of ${findings.length} findings`];
  return findings.flatMap(({ title, kind, severity }, at) => [
    ...differs(title, rows[at]?.kind, kind),
    ...differs(
      `severity of ${title}`,
      rows[at]?.severity,
      severity === undefined ? '' : formatPercent(severity),
    ),
    ...(rows[at]?.what === title ? [] : [`properties prints “${rows[at]?.what}” for “${title}”`]),
  ]);
}

/** `kymo dynamics --all`: the first rows. */
export function dynamicsTextContradictions(
  text: string,
  { rows, iterations }: DynamicsOutput,
): readonly string[] {
  const printed = tableAfter(text, /^ *severity +excess +(chance +)?what /);
  const [, stated] = /^(\d+) iterations?\b/m.exec(text) ?? [];
  const percent = (share: number | undefined, none: string): string =>
    share === undefined ? none : formatPercent(share);
  const excess = (row: DynamicsOutput['rows'][number] | undefined): string =>
    row?.excessDeviation === undefined
      ? percent(row?.excess, '')
      : `${percent(row.excess, '')} ± ${percent(row.excessDeviation, '')}`;
  const chance = (share: number | undefined): string =>
    share === undefined
      ? ''
      : share < 1e-6
        ? '<1 of 1 M'
        : `1 of ${formatCount(Number((1 / share).toPrecision(2)))}`;
  return [
    ...differs('dynamics: iterations', stated, String(iterations)),
    ...(printed.length === Math.min(rows.length, 60)
      ? []
      : [`dynamics prints ${printed.length} of ${rows.length} rows`]),
    ...printed.flatMap((row, at) => {
      const what = `dynamics: ${rows[at]?.title} of ${rows[at]?.region}`;
      return [
        ...differs(what, row.what, titleOf(rows[at])),
        ...differs(`${what}: severity`, row.severity, percent(rows[at]?.severity, '-')),
        ...differs(`${what}: excess`, row.excess, excess(rows[at])),
        ...differs(`${what}: chance`, row.chance ?? '', chance(rows[at]?.chance)),
      ];
    }),
  ];
}

/** `kymo efficiency --functions N`, for all functions. */
export function efficiencyTextContradictions(
  text: string,
  { run, functions }: EfficiencyReport,
): readonly string[] {
  const terms = new Map(tableAfter(text, /^ *share +metric /).map((row) => [row.metric, row.share]));
  const rows = tableAfter(text, /^parallel +balance /);
  return [
    ...differs('parallel efficiency', terms.get('Parallel efficiency'), formatPercent(run.parallel)),
    ...differs('load balance', terms.get('Load balance'), formatPercent(run.loadBalance)),
    ...differs(
      'communication efficiency',
      terms.get('Communication efficiency'),
      formatPercent(run.communication),
    ),
    ...(rows.length === functions.length
      ? []
      : [`efficiency prints ${rows.length} of ${functions.length} functions`]),
    ...functions.flatMap((own, at) => [
      ...differs(`parallel efficiency of ${own.name}`, rows[at]?.parallel, formatPercent(own.parallel)),
      ...differs(`load balance of ${own.name}`, rows[at]?.balance, formatPercent(own.loadBalance)),
      ...differs(`run time of ${own.name}`, rows[at]?.time, formatSeconds(own.runSeconds)),
    ]),
  ];
}

/** A part of the event of the row above it is marked as one, and what is shown although it costs less than the threshold. */
function titleOf(row: DynamicsOutput['rows'][number] | undefined): string {
  const below = row?.belowThreshold === true && row.excess !== undefined ? ' (below the threshold)' : '';
  return `${row?.partOf === undefined ? '' : '└ '}${row?.title ?? ''}${below}`;
}
