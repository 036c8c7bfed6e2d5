import { formatSeconds } from '../../core/format';
import { baseText, type Base } from '../../core/functions/base';
import { isRecord, present } from '../../core/present';
import type { RegionPlace } from '../../core/profile/place';
import type { Property } from '../../core/properties/property';
import { printable } from '../terminal/table';
import type { ServedFolder } from './servedFolder';

/** Longer texts are cut: an answer has to fit a model. */
const longestText = 600;

/**
 * An answer whose names, which come from the workspace, can neither control a terminal nor reorder text, and whose numbers have no more
 * digits than anybody reads.
 */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return rounded(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [cleanText(name), cleaned(inner)]),
  );
}

export function cleanText(text: string): string {
  return cut(printable(text), longestText);
}

/** Messages of errors have several lines. */
export function cleanMessage(message: string): string {
  return cut(message.split('\n').map(printable).join('\n'), 4 * longestText);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

const digits = 4;

function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
}

/** In percent; a share has its base beside it. */
export function percent(share: number): number {
  return share * 100;
}

/** `src/laws.h:19`, relative to the served folder. */
export function placeText(
  { file, line }: Omit<RegionPlace, 'name'>,
  served: ServedFolder,
): string | undefined {
  if (file === undefined) return undefined;
  return `${served.shown(file)}${line === undefined ? '' : `:${line}`}`;
}

/** `2 h 5 min` before now. */
export function ageText(startedAt: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(startedAt)) / 1000);
  return Number.isFinite(seconds) ? `${formatSeconds(Math.max(1, Math.round(seconds)))} ago` : 'unknown';
}

/** A finding with its numbers, their base and its place. */
export function findingAnswer(
  { kind, title, severity, base, confidence, region, callPath, evidence, ...rest }: Property,
  served: ServedFolder,
): object {
  const { ranks, waitingRanks, iterations, model } = rest;
  return {
    kind,
    finding: title,
    ...present({
      severityPercent: severity === undefined ? undefined : percent(severity),
      percentOf: baseOf(base, model?.whole),
      function: region?.name,
      place: region === undefined ? undefined : placeText(region, served),
      callPath: callPath?.slice(-mostCallers),
      ranks,
      waitingRanks,
      iterations: iterations?.slice(0, mostIterations).map((range) => range.join('–')),
      growth: model?.growth,
      formula: model?.formula,
      doubt: model?.doubt,
    }),
    confidence,
    evidence,
    ...(model === undefined ? {} : { facts: model.facts }),
  };
}

const mostCallers = 8;
const mostIterations = 10;

function baseOf(base: Base | undefined, whole: string | undefined): string | undefined {
  return base === undefined ? whole : baseText(base);
}
