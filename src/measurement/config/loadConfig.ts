import path from 'node:path';
import { KymoError } from '../../core/errors';
import { readRegularFile } from '../files/regularFile';
import type { Config, Target } from './config';
import type { ConfigProblem } from './configSource';
import { suggestion } from '../../core/nearest';
import { parseConfig } from './parseConfig';

export const configName = 'kymo.json';
/** Limit that protects the memory from a wrong file; no person writes a longer one. */
const longestConfigBytes = 4 << 20;

/**
 * Reads `kymo.json` in the folder `workspace`.
 * @throws KymoError `config-missing`, or `config-invalid` with line and column
 */
export async function loadConfig(
  workspace: string,
): Promise<{ readonly config: Config; readonly warnings: readonly ConfigProblem[] }> {
  const file = path.join(path.resolve(workspace), configName);
  return parseConfig(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readRegularFile(file, longestConfigBytes);
  } catch (cause) {
    if (cause instanceof KymoError) throw new KymoError('config-invalid', cause.message, { file }, { cause });
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new KymoError(
        'config-missing',
        `There is no ${configName} in ${path.dirname(file)}. Write a first one with "kymo init", name your program (kymo refine -- ./program), or name the folder with --workspace.`,
        { file },
        { cause },
      );
    throw new KymoError('config-invalid', `Cannot read ${file}: ${String(cause)}`, { file }, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new KymoError(
      'config-invalid',
      `${file} is not UTF-8 text; save it as UTF-8.`,
      { file },
      { cause },
    );
  }
}

/**
 * The target `name`, or the first one.
 * @throws KymoError `unknown-target`
 */
export function selectTarget(config: Config, name?: string): Target {
  const target = name === undefined ? config.targets[0] : config.targets.find((item) => item.name === name);
  if (target !== undefined) return target;
  const names = config.targets.map((item) => item.name);
  throw new KymoError(
    'unknown-target',
    `${config.file} has no target ${JSON.stringify(name ?? '')}${suggestion(name ?? '', names) || '.'} It has: ${names.join(', ')}.`,
    { file: config.file },
  );
}
