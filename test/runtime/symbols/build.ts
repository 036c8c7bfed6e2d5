import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A folder for one test file, which is removed at the end. */
export function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-symbols-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 256 * 1024 * 1024,
  });
}

/** Whether a tool is installed. */
export function has(command: string): boolean {
  try {
    run(command, '--version');
    return true;
  } catch {
    process.stderr.write(`skipped: ${command} is not installed\n`);
    return false;
  }
}

export const sites = ['-g', '-fpatchable-function-entry=5', '-Wl,--build-id=sha1'] as const;
export const shapes = path.join(import.meta.dirname, 'shapes.cpp');
