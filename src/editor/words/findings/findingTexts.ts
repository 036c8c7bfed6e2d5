import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../../../core/markdown';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf, type Property } from '../../../core/properties/property';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import type { PropertiesAtLine } from '../../state/findings/placedProperties';
import { dynamicsLensTitle, dynamicsSentence } from './dynamicsText';
import { commandLink, type CommandLink } from '../functions/hoverText';
import { changedText, shorten } from '../functions/lensText';

/** A property and its short text for the line of its region. */
export interface TitleAtLine {
  readonly property: FoundProperty;
  readonly title: string;
}

/** Maximum number of properties of a line in hovers and Problems; the Properties view shows all. */
const shownProperties = 5;
const messageCharacters = 240;

/**
 * Properties of a line that lenses and hovers show: from `threshold` (share of the time) on, without those that the function's numbers
 * already state. What a gate fails for is shown whatever its share: a budget has none.
 */
function shownOf({ properties }: PropertiesAtLine, threshold: number): readonly FoundProperty[] {
  return properties.filter((property) => {
    const { inSource, level } = kindRecord(property.kind);
    return inSource === 'lens' && (level === 'error' || severityOf(property) >= threshold);
  });
}

/** At most `most` titles of a line; the last one states the number of further properties. */
export function titlesAtLine(
  line: PropertiesAtLine,
  threshold: number,
  most: number,
): readonly TitleAtLine[] {
  const shown = shownOf(line, threshold);
  const more = shown.length - most;
  return shown.slice(0, most).map((property, position) => ({
    property,
    title: [
      dynamicsLensTitle(property),
      ...(line.stale ? [changedText] : []),
      ...(position === most - 1 && more > 0 ? [l10n.t`and ${more} more`] : []),
    ].join(' · '),
  }));
}

/** Markdown with theme icons: a sentence for each property of a line, with a link to its numbers; undefined without properties. */
export function findingsHover(
  line: PropertiesAtLine,
  threshold: number,
  linkTo: (property: FoundProperty) => CommandLink | undefined,
): string | undefined {
  const shown = shownOf(line, threshold);
  if (shown.length === 0) return undefined;
  const more = shown.length - shownProperties;
  const sentences = shown.slice(0, shownProperties).map((property) => {
    const link = linkTo(property);
    const icon = property.model === undefined ? 'pulse' : kindRecord(property.kind).icon;
    return [
      `$(${icon}) ${escapeMarkdown(dynamicsSentence(property))}`,
      ...modelFacts(property),
      ...(property.advice === undefined ? [] : [`Next: ${escapeMarkdown(property.advice)}`]),
      ...(link === undefined ? [] : [commandLink(link)]),
    ].join('\n\n');
  });
  return [
    ...sentences,
    ...(more > 0 ? [l10n.t`… and ${more} more in the Properties view`] : []),
    ...(line.stale ? [l10n.t('$(history) _Changed since the run: this was found in the text before._')] : []),
  ].join('\n\n');
}

/** Markdown: the formula of a model, and a list of what is known of it. */
export function modelFacts({ model }: Property): readonly string[] {
  if (model === undefined) return [];
  const { metric, formula, facts } = model;
  return [
    `**${escapeMarkdown(`${metric} = ${formula}`)}**`,
    facts.map((fact) => `- ${escapeMarkdown(fact)}`).join('\n'),
  ];
}

/** A property that the Problems view shows. */
export interface ProblemAtLine {
  readonly property: FoundProperty;
  readonly message: string;
}

/**
 * The problems of one line: each kind of finding about the measurement once for all instances of a template, and the most severe of the
 * other findings.
 */
export function problemsAtLine(
  { stale, properties }: PropertiesAtLine,
  isProblem: (property: FoundProperty) => boolean,
): readonly ProblemAtLine[] {
  const instances = new Map<string, number>();
  const shown: FoundProperty[] = [];
  for (const property of properties.filter(isProblem)) {
    const key = isFolded(property) ? property.kind : property.id;
    const count = instances.get(key) ?? 0;
    instances.set(key, count + 1);
    if (count === 0) shown.push(property);
  }
  return shown.slice(0, shownProperties).map((property) => ({
    property,
    message: `${messageOf(property)}${others((instances.get(property.kind) ?? 1) - 1)}${stale ? ` (${changedText})` : ''}`,
  }));
}

function messageOf(property: Property): string {
  const sentence = dynamicsSentence(property);
  return isFolded(property) ? shorten(sentence, messageCharacters) : sentence;
}

function isFolded({ kind }: Property): boolean {
  return kindRecord(kind).group === 'measurement';
}

function others(more: number): string {
  if (more <= 0) return '';
  return more === 1 ? '; so does one more instance' : `; so do ${more} more instances`;
}
