import { createHash } from 'node:crypto';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { suggestion } from '../../core/nearest';
import { fileError } from '../files/explainFileError';
import { readRegularFile } from '../files/regularFile';
import type { InputFile, Target } from './config';
import { placeholders } from './substitute';

/** Each run has its own copy. */
const mostBytes = 64 << 20;

export interface InputContent {
  readonly bytes: Uint8Array;
  /** Undefined for a file that is no text in UTF-8, which is copied. */
  readonly text: string | undefined;
}

/** The names of placeholders in what the runs of a target use. */
export function placeholderNames(
  parameters: readonly string[],
  files: Target['run']['files'],
): readonly string[] {
  return [...parameters, 'ranks', 'threads', ...Object.keys(files ?? {}).map((name) => `file:${name}`)];
}

/**
 * The target with the hashes of its templates, so that a change of one is noticed.
 * @throws KymoError `config-invalid` for templates that cannot be read, and unknown placeholders in them, with line and column
 */
export async function withInputFiles(target: Target, workspace: string): Promise<Target> {
  const { files } = target.run;
  if (files === undefined) return target;
  const names = placeholderNames(Object.keys(target.parameters), files);
  const hashed: (readonly [string, InputFile])[] = [];
  for (const [name, { template }] of Object.entries(files)) {
    const { bytes, text } = await readTemplate(workspace, template);
    if (text !== undefined) requireKnown(text, path.resolve(workspace, template), names);
    hashed.push([name, { template, hash: hashOf(bytes) }]);
  }
  return { ...target, run: { ...target.run, files: Object.fromEntries(hashed) } };
}

/** @throws KymoError `config-invalid`; `template-changed` since `withInputFiles` */
export async function templateOf(workspace: string, { template, hash }: InputFile): Promise<InputContent> {
  const content = await readTemplate(workspace, template);
  if (hash === undefined || hash === hashOf(content.bytes)) return content;
  const file = path.resolve(workspace, template);
  throw new KymoError(
    'template-changed',
    `${file} was changed while the program was being measured with it, so runs could not be compared. Run the same command again.`,
    { file },
  );
}

async function readTemplate(workspace: string, template: string): Promise<InputContent> {
  const file = path.resolve(workspace, template);
  try {
    const bytes = await readRegularFile(file, mostBytes);
    return { bytes, text: textOf(bytes) };
  } catch (cause) {
    const error = fileError(file, 'read', cause);
    throw new KymoError(
      'config-invalid',
      `${error.message} It is a template of "files" in kymo.json, and each run gets its own copy; give larger files to the program by their own path.`,
      { file },
      { cause },
    );
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function requireKnown(text: string, file: string, names: readonly string[]): void {
  for (const [index, content] of text.split('\n').entries()) {
    const unknown = placeholders(content).find((name) => !names.includes(name));
    if (unknown === undefined) continue;
    const [line, column] = [index + 1, content.indexOf(`\${${unknown}}`) + 1];
    throw new KymoError(
      'config-invalid',
      `${file}:${line}:${column}: \${${unknown}} is no parameter of the target${suggestion(unknown, names) || '.'} Add it to "parameters" in kymo.json, or write $\${${unknown}} for the text itself.`,
      { file, line, column },
    );
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
