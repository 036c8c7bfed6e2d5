/** The npm package of the command line: what is in it, and that it works where it is installed without a network. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { packCommandLine } from '../../scripts/lib/commandLinePackage.mjs';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;
/** Where `npm install --global` puts packages, programs and manual pages. */
let prefix: string;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without variables of the npm that may have started the tests, and without a registry. */
function run(program: string, words: readonly string[], cwd = folder): Ended {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: {
      ...Object.fromEntries(inherited),
      HOME: folder,
      npm_config_cache: path.join(folder, 'cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_update_notifier: 'false',
    },
  });
}

const filesBelow = (base: string): readonly string[] =>
  (readdirSync(base, { recursive: true }) as string[])
    .filter((name) => lstatSync(path.join(base, name)).isFile())
    .sort();

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo npm '));
  prefix = path.join(folder, 'installed');
  const archive = packCommandLine(root, folder);
  expect(path.basename(archive)).toBe(`kymo-${version}.tgz`);
  mkdirSync(prefix);
  const { status, stderr } = run('npm', ['install', '--global', '--offline', '--prefix', prefix, archive]);
  expect(status, stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (...parts: readonly string[]): string =>
  path.join(prefix, 'lib/node_modules/kymo', ...parts);
const kymo = (words: readonly string[], cwd?: string): Ended =>
  run(path.join(prefix, 'bin/kymo'), words, cwd);

describe('the npm package of the command line', () => {
  it('has what the command line runs, as it was built, and nothing of the editor', () => {
    for (const part of ['runtime', 'grammars', 'man', 'completions'])
      expect(filesBelow(installed('dist', part)), part).toEqual(filesBelow(path.join(root, 'dist', part)));
    expect(readdirSync(installed('dist')).sort()).toEqual(
      ['THIRD-PARTY-NOTICES.txt', 'cli.js', 'completions', 'grammars', 'man', 'runtime', 'wrapper.js'].sort(),
    );
    expect(readdirSync(installed()).sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'].sort(),
    );
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
    for (const absent of ['dependencies', 'devDependencies', 'scripts', 'contributes', 'main', 'private'])
      expect(manifest).not.toHaveProperty(absent);
    expect(manifest.description).toMatch(/^Instrument, measure and understand C, C\+\+ and Fortran/);
    expect(readdirSync(prefix).sort()).toEqual(['bin', 'lib', 'share'].sort());
  });

  it('prints its version and completions', () => {
    expect(kymo(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(kymo(['completion', 'bash']).stdout).toBe(
      readFileSync(installed('dist/completions/kymo.bash'), 'utf8'),
    );
  });

  it('has manual pages where man finds them', () => {
    const pages = readdirSync(path.join(prefix, 'share/man/man1'));
    expect(pages).toEqual(readdirSync(path.join(root, 'dist/man')));
    expect(pages).toContain('kymo-refine.1');
    if (run('man', ['--version']).status !== 0) return;
    const { stdout } = run('man', ['-M', path.join(prefix, 'share/man'), 'kymo', 'refine']);
    expect(stdout).toContain('--overhead <percent>');
  });

  it('refines a C program', () => {
    const project = path.join(folder, 'project');
    mkdirSync(project);
    const work =
      'double __attribute__((noinline)) work(int n) { double s = 0; while (n > 1) s += 1.0 / n--; return s; }';
    writeFileSync(
      path.join(project, 'main.c'),
      `${work}\nint main(void) { double s = 0; for (int i = 0; i < 50; ++i) s += work(100000); return s < 1; }\n`,
    );
    const { status, stdout, stderr } = kymo(
      ['refine', '--yes', '--iterations', '1', '--repetitions', '1', '--', './a.out'],
      project,
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/in +work +.*main\.c:1/);
    expect(existsSync(path.join(project, 'kymo.json'))).toBe(true);
  });
});
