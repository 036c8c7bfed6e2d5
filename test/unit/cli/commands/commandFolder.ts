import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { CommandResult, RegisterCommand } from '../../../../src/cli/execution/context';
import { runCommand } from './runCommand';

/** A folder for the tests of a file, in which commands are run; its path has a space and a letter that is not ASCII. */
export interface CommandFolder {
  /** The path of a file in it. */
  readonly inFolder: (...names: string[]) => string;
  /** Writes a file there. @returns its path */
  readonly file: (name: string, text: string) => string;
  readonly run: (
    commands: readonly RegisterCommand[],
    words: readonly string[],
    json?: boolean,
  ) => Promise<CommandResult>;
}

/** Made before the tests of the file that calls this, and removed after them. */
export function useCommandFolder(about: string): CommandFolder {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), `kymo ${about} é `));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const inFolder = (...names: string[]): string => path.join(folder, ...names);
  return {
    inFolder,
    file: (name, text) => {
      writeFileSync(inFolder(name), text);
      return inFolder(name);
    },
    run: (commands, words, json) => runCommand(commands, folder, words, json),
  };
}
