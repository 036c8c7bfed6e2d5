import * as l10n from '@vscode/l10n';
import { formatCount, formatPercent, formatRoundPercent, formatSeconds } from '../../../core/format';
import { baseText } from '../../../core/functions/base';
import { chanceSentence } from '../../../core/properties/chance';
import { bySeverity, severityOf, type Property } from '../../../core/properties/property';
import { isDynamic, kindRecord } from '../../../core/properties/kinds';
import { iterationsText, ranksText } from './dynamicsText';
import { modelFacts } from './findingTexts';
import { escapeMarkdown } from '../../../core/markdown';

export const groupings = ['kind', 'file', 'region', 'ranks', 'severity'] as const;
export type Grouping = (typeof groupings)[number];

/** A property and the properties that refine it. */
export interface PropertyBranch {
  readonly property: Property;
  readonly refinedBy: readonly PropertyBranch[];
}

export interface PropertyGroup {
  /** Unique among the groups. */
  readonly key: string;
  readonly label: string;
  readonly branches: readonly PropertyBranch[];
  /** Severity of the group's most severe property. */
  readonly severity: number;
}

/**
 * What the view says of a folder beside its findings.
 * @param parts findings by source, those of the study first: why it has none matters only where no other source found something, unlike damage
 */
export function missingText([first, ...others]: readonly {
  readonly properties: readonly Property[];
  readonly missing?: string;
  readonly unreadable?: string;
}[]): string | undefined {
  const isAlone = others.every(({ properties }) => properties.length === 0);
  return first?.unreadable ?? (isAlone ? first?.missing : undefined);
}

/** Groups the properties from `threshold` (0…1) on, the most severe first. File names are relative to `root`. */
export function groupProperties(
  properties: readonly Property[],
  grouping: Grouping,
  threshold: number,
  root: string,
): readonly PropertyGroup[] {
  const label = (property: Property): string => groupLabel(property, grouping, root);
  const groups = new Map<string, PropertyBranch[]>();
  const shown = properties.filter((property) => severityOf(property) >= threshold);
  for (const branch of refinementTree(shown, (a, b) => isBelow(a, b, grouping))) {
    const key = label(branch.property);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [branch]);
    else group.push(branch);
  }
  return [...groups]
    .map(([key, branches]) => ({
      key,
      label: key,
      branches,
      severity: branches[0] === undefined ? 0 : severityOf(branches[0].property),
    }))
    .sort(grouping === 'severity' ? bySeverityBand : (a, b) => b.severity - a.severity);
}

/** Number of properties from the threshold on. */
export function countFrom(properties: readonly Property[], threshold: number): number {
  return properties.filter((property) => severityOf(property) >= threshold).length;
}

/** Properties over time are not below the hot spot that they refine, because users look for them directly. */
function isBelow(property: Property, refined: Property, grouping: Grouping): boolean {
  switch (grouping) {
    case 'kind':
      return !isDynamic(property) || property.kind === refined.kind;
    case 'ranks':
      return !isDynamic(property) && property.ranks === refined.ranks;
    case 'file':
    case 'region':
    case 'severity':
      return true;
  }
}

/**
 * Branches of properties with their refinements. A property is a root if the one that it refines is missing or the refinements form a
 * circle.
 */
function refinementTree(
  properties: readonly Property[],
  mayBeBelow: (property: Property, refined: Property) => boolean,
): readonly PropertyBranch[] {
  const ordered = [...properties].sort(bySeverity);
  const byId = new Map(ordered.map((property) => [property.id, property]));
  const below = new Map<string, Property[]>();
  const roots: Property[] = [];
  const inCircle = circles(ordered, byId);
  for (const property of ordered) {
    const refined = property.refines === undefined ? undefined : byId.get(property.refines);
    if (refined === undefined || inCircle.has(property.id) || !mayBeBelow(property, refined))
      roots.push(property);
    else {
      const others = below.get(refined.id);
      if (others === undefined) below.set(refined.id, [property]);
      else others.push(property);
    }
  }
  const branch = (property: Property): PropertyBranch => ({
    property,
    refinedBy: (below.get(property.id) ?? []).map(branch),
  });
  return roots.map(branch);
}

/** Ids of properties whose chain of refined properties ends in a circle. Each property is visited once. */
function circles(all: readonly Property[], byId: ReadonlyMap<string, Property>): ReadonlySet<string> {
  const endsInCircle = new Map<string, boolean>();
  for (const property of all) {
    const way = new Set<string>();
    let current: Property | undefined = property;
    while (current !== undefined && !way.has(current.id) && !endsInCircle.has(current.id)) {
      way.add(current.id);
      current = current.refines === undefined ? undefined : byId.get(current.refines);
    }
    const isCircle = current !== undefined && (way.has(current.id) || endsInCircle.get(current.id) === true);
    for (const id of way) endsInCircle.set(id, isCircle);
  }
  return new Set([...endsInCircle].filter(([, isCircle]) => isCircle).map(([id]) => id));
}

const below = l10n.t('Below 1 %');
const bands: readonly (readonly [from: number, label: string])[] = [
  [0.2, l10n.t('20 % of the run time and more')],
  [0.05, l10n.t('5 % to 20 %')],
  [0.01, l10n.t('1 % to 5 %')],
  [0, below],
];

function groupLabel(property: Property, grouping: Grouping, root: string): string {
  const { kind, region, ranks } = property;
  switch (grouping) {
    case 'kind':
      return kindRecord(kind).plural;
    case 'file':
      if (region?.file === undefined) return l10n.t('Whole program');
      return region.file.startsWith(`${root}/`) ? region.file.slice(root.length + 1) : region.file;
    case 'region':
      return region?.name ?? l10n.t('Whole program');
    case 'ranks':
      return ranks === undefined ? l10n.t('All ranks together') : ranksText(ranks);
    case 'severity':
      return (bands.find(([from]) => severityOf(property) >= from) ?? [0, below])[1];
  }
}

function bySeverityBand(a: PropertyGroup, b: PropertyGroup): number {
  const position = ({ label }: PropertyGroup): number => bands.findIndex(([, band]) => band === label);
  return position(a) - position(b);
}

/** The run that most findings are of, as `Base.run`; undefined if none says it. */
export function commonRun(properties: readonly Property[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { base } of properties)
    if (base !== undefined) counts.set(base.run, (counts.get(base.run) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** `31 % · main.cpp:12`, `17 % · [1–92] · ranks 4,27,30 · wait.c:3`: the number is first, because the side bar is narrow. */
export function propertyDescription(
  property: Property,
  grouping: Grouping = 'kind',
  common?: string,
): string {
  const { severity, region, iterations, ranks, kind } = property;
  const file = region?.file?.split('/').at(-1);
  const place = file === undefined ? [] : [region?.line === undefined ? file : `${file}:${region.line}`];
  return [
    // The variability itself has no severity.
    ...(severity === undefined || (kind === 'significant-variability' && severity === 0)
      ? []
      : [formatRoundPercent(severity)]),
    ...(iterations === undefined ? [] : [iterationsText(property)]),
    ...(iterations === undefined || ranks === undefined || grouping === 'ranks' ? [] : [ranksText(ranks)]),
    ...place,
    ...otherRun(property, common),
  ].join(' · ');
}

/** The run of a finding, unless it is the common one, which the title of the view has. */
function otherRun({ base }: Property, common: string | undefined): readonly string[] {
  return base === undefined || base.run === common ? [] : [`run ${base.run}`];
}

/** The region's name if the group already states the kind, else the whole sentence. */
export function propertyLabel(property: Property, grouping: Grouping): string {
  const { region, title, kind } = property;
  if (region === undefined) return title;
  return grouping === 'kind'
    ? region.name
    : grouping === 'region'
      ? kindRecord(kind).plural
      : `${region.name}: ${kindRecord(kind).plural.toLowerCase()}`;
}

/** Markdown: the finding, its confidence, and the numbers that support it. */
export function propertyTooltip(property: Property): string {
  const { title, severity, confidence, region, callPath, ranks, iterations, evidence, base, model } =
    property;
  const whole = model?.whole ?? (base === undefined ? 'the run time' : baseText(base));
  const rows = Object.entries(evidence).map(
    ([name, value]) =>
      `| ${escapeMarkdown(evidenceName(name))} | ${escapeMarkdown(evidenceValue(name, value))} |`,
  );
  return [
    `**${escapeMarkdown(title)}**`,
    `${severity === undefined ? '' : `${formatPercent(severity)} of ${escapeMarkdown(whole)} · `}confidence ${formatPercent(confidence)}`,
    ...(evidence.chance === undefined ? [] : [chanceSentence(evidence.chance)]),
    ...modelFacts(property),
    ...(rows.length === 0 ? [] : [['| evidence | |', '| :-- | --: |', ...rows].join('\n')]),
    ...(callPath === undefined ? [] : [escapeMarkdown(callPath.join(' → '))]),
    ...(iterations === undefined ? [] : [`Iterations ${escapeMarkdown(iterationsText(property, Infinity))}`]),
    ...(ranks === undefined ? [] : [`Ranks ${escapeMarkdown(ranks)}`]),
    ...(region?.file === undefined
      ? []
      : [escapeMarkdown(`${region.file}${region.line === undefined ? '' : `:${region.line}`}`)]),
  ].join('\n\n');
}

/** `pureSeconds` → `pure time`, without the unit, which the value has. */
export function evidenceName(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.replace(/ seconds$/, ' time').replace(/ percent$/, '');
}

/** A value with its unit, which is part of the evidence's name. */
export function evidenceValue(name: string, value: number): string {
  if (/seconds$/i.test(name)) return formatSeconds(value);
  if (/share$/i.test(name)) return formatPercent(value);
  if (/percent$/i.test(name)) return formatPercent(value / 100);
  if (value >= Number.MAX_VALUE) return 'too large to show';
  return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(3)));
}
