import os from 'node:os';
import path from 'node:path';
import { isKymoError } from '../../core/errors';
import { targetOfResults } from '../../workflows/targets/targetOfResults';
import type { CliContext } from '../execution/context';
import { texts, type ReportDocument, type Section } from './base/document';
import type { Reported } from './base/reported';
import { diagnosisSection } from './sections/diagnosis';
import { dynamicsSection } from './sections/dynamics';
import { efficiencySection } from './sections/efficiency';
import { groupsSection } from './sections/groups';
import { hotSpotsSection } from './sections/hotSpots';
import { measuredSection } from './sections/measured';
import { modelsSection } from './sections/models';
import { refinementSection } from './sections/refinement';
import { summarySection } from './sections/summary';

/** A report, and why sections are missing that the input could have. */
export interface MadeReport {
  readonly document: ReportDocument;
  readonly notes: readonly string[];
}

/** Reasons of errors which say that an input has nothing of a kind. */
const usual = new Set(['no-iterations', 'no-ranks']);

/**
 * The report on an input: each section only where the input has it.
 * @param made version of Kymo, and when
 */
export async function makeReport(
  reported: Reported,
  context: CliContext,
  made: { readonly version: string; readonly at: Date },
): Promise<MadeReport> {
  const notes: string[] = [];
  const folder = targetOfResults(reported.input)?.workspace ?? path.dirname(reported.input);
  const sections: Section[] = [];
  const add = async (
    name: string,
    make: () => Section | undefined | Promise<Section | undefined>,
  ): Promise<void> => {
    context.signal.throwIfAborted();
    try {
      const section = await make();
      if (section !== undefined) sections.push(section);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isKymoError(error)) throw error;
      if (!usual.has(error.reason)) notes.push(`There is no section on ${name}: ${error.message}`);
    }
  };
  await add('the summary', () => summarySection(reported));
  await add('the refinement', () => refinementSection(reported));
  await add('hot spots', () => hotSpotsSection(reported, folder));
  await add('the diagnosis', () => diagnosisSection(reported, context.workspace));
  await add('efficiency', () => efficiencySection(reported));
  await add('dynamics', () => dynamicsSection(reported, context));
  await add('groups of processes', () => groupsSection(reported));
  await add('models', () => modelsSection(reported, context));
  const measured = await measuredSection(reported);
  sections.push({ ...measured, blocks: [...measured.blocks, ...texts(notes, 'note')] });
  const document = {
    title: titleOf(reported),
    subtitle: subtitleOf(reported),
    sections,
    footer: `Written by Kymo ${made.version} on ${made.at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  };
  return { document: shortened(document, folder), notes };
}

function titleOf({ study, parameterStudy, run, input }: Reported): string {
  const target = study?.target ?? parameterStudy?.target ?? run?.origin.experiment?.target;
  return `Performance of ${target ?? path.basename(input)}`;
}

function subtitleOf({ study, parameterStudy, run }: Reported): string {
  if (parameterStudy !== undefined) return `Study over parameters ${parameterStudy.study}`;
  const { experiment } = run?.origin ?? {};
  const name = study?.study ?? experiment?.study;
  const what = study === undefined ? 'One run' : study.kind === 'measurement' ? 'Measurement' : 'Refinement';
  return [
    name === undefined ? 'Profile' : study === undefined ? `${what} of ${name}` : `${what} ${name}`,
    ...(run === undefined ? [] : [`run ${run.origin.run}`]),
    ...(experiment === undefined ? [] : [experiment.host, experiment.startedAt.slice(0, 10)]),
  ].join(' · ');
}

/** All texts but pictures, with paths relative to the folder, and without the name of the user's home. */
function shortened<T>(part: T, folder: string): T {
  const home = os.homedir();
  const shorten = (text: string): string =>
    [
      [folder === path.sep ? '' : `${folder}${path.sep}`, ''],
      [home === path.sep ? '' : `${home}${path.sep}`, `~${path.sep}`],
    ].reduce((all, [from = '', to = '']) => (from === '' ? all : all.replaceAll(from, to)), text);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return shorten(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => [name, name === 'svg' ? own : walk(own)]),
    );
  };
  return walk(part) as T;
}
