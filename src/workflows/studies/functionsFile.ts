import path from 'node:path';
import { KymoError } from '../../core/errors';
import { laterVersion } from '../../core/fileVersion';
import type { FunctionRow } from '../../core/functions/functionRow';
import { isRecord, present } from '../../core/present';
import { isRecordedPart } from '../../core/profile/recordedPart';
import type { Rule } from '../../core/selection/selection';
import { writeFileAtomically } from '../../measurement/files/disk';
import { makeOwnFolder, readOwnFile } from '../../measurement/files/ownFiles';
import { turn, type Cancellable } from '../running/turn';
import { Places, type SourcesHere } from './places';

export const functionsFileName = 'functions.json';
/** After this many rows the request can be cancelled. */
const rowsPerTurn = 1000;

/** A row of `functions.json` (docs/INTERFACES.md): the decision is a sentence with its rule beside it. */
export interface StoredRow extends Omit<FunctionRow, 'decision'> {
  readonly rule?: Rule;
  readonly reason: string;
  /** The first part of the sentence; absent in files of earlier versions. */
  readonly clause?: string;
}

/** Writes decisions and measures of each function of a study. */
export async function writeFunctions(studyDirectory: string, rows: readonly FunctionRow[]): Promise<void> {
  await makeOwnFolder(studyDirectory);
  const functions = rows.map(storedRow);
  await writeFileAtomically(
    path.join(studyDirectory, functionsFileName),
    `${JSON.stringify({ kymoFunctions: 1, functions })}\n`,
  );
}

/**
 * The functions of a study with their decisions and measurements.
 * @throws KymoError `study-invalid` if the folder has none
 */
export async function functionRows(
  studyDirectory: string,
  context: Cancellable = {},
): Promise<readonly FunctionRow[]> {
  const file = path.join(studyDirectory, functionsFileName);
  try {
    const text = await readOwnFile(file);
    await turn(context);
    const value: unknown = JSON.parse(text);
    if (isFunctionsFile(value)) return value.functions.map(rowOf);
    throw new Error(`it ${laterVersion(value, 'kymoFunctions', 1) ?? 'has another shape'}`);
  } catch (cause) {
    context.signal?.throwIfAborted();
    throw new KymoError(
      'study-invalid',
      `${studyDirectory} holds no finished round (${cause instanceof Error ? cause.message : String(cause)}). Run "kymo refine" again.`,
      { file },
      { cause },
    );
  }
}

/** The functions of a study with the paths of sources on this machine. @throws KymoError `study-invalid` */
export async function functionsHere(
  studyDirectory: string,
  sources: SourcesHere,
  context: Cancellable = {},
): Promise<readonly FunctionRow[]> {
  const places = new Places(sources);
  const rows: FunctionRow[] = [];
  for (const [index, row] of (await functionRows(studyDirectory, context)).entries()) {
    if (index % rowsPerTurn === 0) await turn(context);
    rows.push(await places.inFile(row));
  }
  return rows;
}

function storedRow({ decision, ...row }: FunctionRow): StoredRow {
  const { clause = '', details = '', rule } = decision ?? {};
  const state = rule === undefined ? '' : row.selected ? 'in: ' : 'out: ';
  return { ...row, ...present({ rule }), reason: `${state}${clause}${details}`, clause };
}

function rowOf({ rule, reason, clause, ...row }: StoredRow): FunctionRow {
  const sentence = reason.replace(/^(in|out): /, '');
  const first = clause ?? sentence;
  const details = sentence.slice(first.length);
  return { ...row, decision: { ...present({ rule }), clause: first, details } };
}

function isFunctionsFile(value: unknown): value is { readonly functions: readonly StoredRow[] } {
  return (
    isRecord(value) &&
    value.kymoFunctions === 1 &&
    Array.isArray(value.functions) &&
    value.functions.every(isStoredRow)
  );
}

/** Checks the fields that every reader needs; the numbers may be missing. */
function isStoredRow(value: unknown): value is StoredRow {
  if (!isRecord(value)) return false;
  const { key, name, reason, clause = '', selected, hasSite, file = '', line = 0, recordedPart } = value;
  return (
    [key, name, reason, clause, file].every((text) => typeof text === 'string') &&
    [selected, hasSite].every((flag) => typeof flag === 'boolean') &&
    typeof line === 'number' &&
    (recordedPart === undefined || isRecordedPart(recordedPart))
  );
}
