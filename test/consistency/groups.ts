import { formatPercent } from '../../src/core/format';
import type { Property } from '../../src/core/properties/property';
import type { ProfileJson } from '../../src/formats/exports/json';
import type { GroupsReport } from '../../src/workflows/groups';
import { sameNumber } from './numbers';
import { differs, tableAfter } from './texts';

/** Where the same groups are seen. */
export interface GroupsElsewhere {
  /** `kymo groups`, of the same run. */
  readonly text: string;
  /** `kymo profile show --per-location --json` */
  readonly perLocation: ProfileJson;
  /** `kymo properties` */
  readonly findings: readonly Property[];
}

/** Groups of one run by pairs against their processes, each other, and what is printed and found. */
export function groupContradictions(
  report: GroupsReport,
  { text, perLocation, findings }: GroupsElsewhere,
): readonly string[] {
  return [
    ...ofMembers(report),
    ...ofProfile(report, perLocation),
    ...ofMatrices(report),
    ...ofDifferences(report),
    ...ofText(report, text),
    ...ofFindings(report, findings),
  ];
}

function ofMembers({ groups, processes }: GroupsReport): readonly string[] {
  const members = groups.flatMap((group) => group.members).sort((a, b) => a - b);
  return [
    ...(members.join() === [...processes.keys()].join() ? [] : ['a process is in no group, or in several']),
    ...groups.flatMap(({ members: own, representative, processes: name }) =>
      own.includes(representative) ? [] : [`${name} is represented by a process of another group`],
    ),
  ];
}

/** What equal processes call is what the profile shows that they visited. */
function ofProfile({ groups, attributes, measure }: GroupsReport, profile: ProfileJson): readonly string[] {
  const names = attributes.map(({ caller = '', callee }) => `${caller} → ${callee}`);
  // Functions of the same name in several files have the file in their attribute, and iterations are no functions.
  const isPlain =
    new Set(profile.regions.map(({ name }) => name)).size === profile.regions.length &&
    !profile.regions.some(({ name }) => /^(iteration|instance)=\d+$/.test(name));
  if (measure !== 'pairs' || !isPlain) return [];
  return groups.flatMap(({ members, attributes: own, similarity, processes }) => {
    const expected = own.map((attribute) => names[attribute] ?? '').sort();
    return members.flatMap((member) => {
      const called = pairsOf(profile, member);
      const same = called.join('\n') === expected.join('\n');
      return same || similarity.least < 1
        ? []
        : [`${processes}: member ${member} calls ${called.join(', ').slice(0, 1000)}`];
    });
  });
}

function pairsOf({ callTree, regions, values }: ProfileJson, location: number): readonly string[] {
  const visits = values.visits?.exclusive as readonly (readonly number[])[];
  const isLeftOut = (path: number): boolean => regions[callTree[path]?.region ?? 0]?.name === 'PARALLEL';
  const callerOf = (path: number): string => {
    const above = callTree[path]?.parent ?? -1;
    if (above < 0) return '';
    return isLeftOut(above) ? callerOf(above) : (regions[callTree[above]?.region ?? 0]?.name ?? '');
  };
  const pairs = callTree.flatMap(({ region }, path) =>
    Number(visits[path]?.[location]) > 0 && !isLeftOut(path)
      ? [`${callerOf(path)} → ${regions[region]?.name ?? ''}`]
      : [],
  );
  return [...new Set(pairs)].sort();
}

function ofMatrices({ groups, similarity, subsumption }: GroupsReport): readonly string[] {
  const sets = groups.map(({ attributes }) => new Set(attributes));
  const within = (value: number | undefined): boolean => value !== undefined && value >= 0 && value <= 1;
  return groups.flatMap((_, row) =>
    groups.flatMap((__, column) => {
      const [a = new Set(), b = new Set()] = [sets[row], sets[column]];
      const common = [...a].filter((attribute) => b.has(attribute)).length;
      const union = a.size + b.size - common;
      const degree = subsumption[row]?.[column];
      // Who has all pairs of another one does all of its work.
      const isAll = common === b.size;
      return [
        ...sameNumber(
          `similarity of groups ${row + 1} and ${column + 1}, and of their pairs`,
          similarity[row]?.[column],
          union === 0 ? 1 : common / union,
        ),
        ...(within(degree) && (!isAll || degree === 1)
          ? []
          : [`group ${row + 1} does ${degree} of group ${column + 1}`]),
      ];
    }),
  );
}

function ofDifferences({ differences, subsumption, groups, attributes }: GroupsReport): readonly string[] {
  return differences.flatMap(({ kind, groups: [one, other], functions, seconds, sentence }) => {
    const [there, back] = [subsumption[one]?.[other] ?? 0, subsumption[other]?.[one] ?? 0];
    const isRight = {
      intermediate: there >= 0.95 && back >= 0.95,
      more: there >= 0.95 && back < 1,
      less: false,
      different: there < 1 && back < 1,
    }[kind];
    const callees = new Set(groups[one]?.attributes.map((attribute) => attributes[attribute]?.callee));
    const others = new Set(groups[other]?.attributes.map((attribute) => attributes[attribute]?.callee));
    return [
      ...(isRight ? [] : [`“${sentence}”: one does ${there} of the other, which does ${back} of it`]),
      ...(seconds >= 0 ? [] : [`“${sentence}”: ${seconds} s`]),
      ...functions.flatMap((name) =>
        callees.has(name) && !others.has(name) ? [] : [`“${sentence}”: ${name} is not what is different`],
      ),
    ];
  });
}

function ofText(report: GroupsReport, text: string): readonly string[] {
  const { groups, processes, sentences, notes, similarity } = report;
  const [, all, found] = /^(\d+) \S+ in (\d+) groups?/.exec(text) ?? [];
  const rows = tableAfter(text, /^group +/);
  const matrix = tableAfter(text, /^similar +/);
  return [
    ...differs('groups: number of processes', all, String(processes.length)),
    ...differs('groups: number of groups', found, String(groups.length)),
    ...rows.flatMap((row, at) => {
      const { members = [], attributes = [], similarity: own } = groups[at] ?? {};
      const what = `groups: group ${at + 1}`;
      return [
        ...differs(`${what}, processes`, row.processes, String(members.length)),
        ...differs(`${what}, pairs`, row.pairs, String(attributes.length)),
        ...differs(`${what}, similarity`, row.similarity, formatPercent(own?.mean ?? 0)),
      ];
    }),
    ...matrix.flatMap((row, at) =>
      differs(
        `groups: similarity of group ${at + 1} and the first`,
        row['1'],
        similarity[at]?.[0]?.toFixed(2) ?? '',
      ),
    ),
    ...[...sentences, ...notes].flatMap((sentence) =>
      text.includes(sentence) ? [] : [`groups does not print “${sentence}”`],
    ),
  ];
}

const kinds: readonly string[] = ['process-groups', 'different-work', 'late-group'];

function ofFindings(
  { properties, groups, processes }: GroupsReport,
  findings: readonly Property[],
): readonly string[] {
  const idsOf = (list: readonly Property[]): string =>
    list
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ id, title }) => `${id}: ${title}`)
      .sort()
      .join('\n');
  return [
    ...(idsOf(properties) === idsOf(findings)
      ? []
      : [`groups finds ${idsOf(properties)}, and properties ${idsOf(findings)}`]),
    ...properties.flatMap(({ kind, title, evidence }) =>
      kind === 'process-groups'
        ? [
            ...sameNumber(`${title}: groups`, evidence.groups, groups.length),
            ...sameNumber(`${title}: processes`, evidence.processes, processes.length),
          ]
        : [],
    ),
  ];
}
