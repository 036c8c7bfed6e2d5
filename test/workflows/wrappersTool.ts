import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import type { Unit } from '../../src/core/source/unit';
import { fragmentOf, parseKeptText } from '../../src/measurement/build/keptText';
import { loadParser } from '../../src/measurement/wrappers/analyser';

const root = path.resolve(import.meta.dirname, '../..');
const parser = await loadParser('c', path.join(root, 'dist/grammars'));

/** The wrappers as they are installed, in a folder of the test, with a workspace whose path has blanks and letters of all kinds. */
export class WrapperTrial {
  readonly base = mkdtempSync(path.join(tmpdir(), 'kymo-wrappers-'));
  readonly tool = path.join(this.base, 'dist');
  readonly folder = path.join(this.base, 'work space ü流');
  readonly store = path.join(this.base, 'store');

  constructor() {
    mkdirSync(path.join(this.tool, 'grammars'), { recursive: true });
    mkdirSync(this.folder);
    buildSync({
      absWorkingDir: root,
      entryPoints: ['src/measurement/wrappers/main.ts'],
      outfile: path.join(this.tool, 'wrapper.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'error',
      alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
    });
    for (const grammar of [
      'web-tree-sitter/web-tree-sitter',
      'tree-sitter-c/tree-sitter-c',
      'tree-sitter-cpp/tree-sitter-cpp',
    ]) {
      cpSync(
        path.join(root, 'node_modules', `${grammar}.wasm`),
        path.join(this.tool, 'grammars', `${path.basename(grammar)}.wasm`),
      );
    }
    cpSync(path.join(root, 'runtime'), path.join(this.tool, 'runtime'), { recursive: true });
  }

  close(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  write(name: string, text: string): string {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
    return this.file(name);
  }

  environment(extra: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
    return {
      ...process.env,
      LC_ALL: 'C',
      KYMO_NODE: process.execPath,
      KYMO_STORE: this.store,
      XDG_CACHE_HOME: path.join(this.base, 'cache'),
      KYMO_CC: 'gcc',
      KYMO_CXX: 'g++',
      KYMO_FC: 'gfortran',
      ...extra,
    };
  }

  wrapper(kind: 'cc' | 'cxx' | 'fc'): string {
    return path.join(this.tool, 'runtime/wrappers', `kymo-${kind}`);
  }

  /** Runs a program in the workspace. */
  run(
    program: string,
    argumentList: readonly string[],
    extra: Readonly<Record<string, string>> = {},
    input = '',
  ): Outcome {
    const { status, stdout, stderr } = spawnSync(program, argumentList, {
      cwd: this.folder,
      env: this.environment(extra),
      encoding: 'utf8',
      input,
      maxBuffer: 1 << 28,
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    return { status, stdout, stderr };
  }

  /** The fragments, those too that would be made of kept texts. */
  units(): Unit[] {
    const folder = path.join(this.store, 'units');
    try {
      return readdirSync(folder).map((name) => readUnit(path.join(folder, name)));
    } catch {
      return [];
    }
  }

  forget(): void {
    rmSync(this.store, { recursive: true, force: true });
  }

  /** How many sled records an object or program has: 16 bytes each. */
  sleds(file: string): number {
    const { stdout } = this.run('readelf', ['-SW', file]);
    return [...stdout.matchAll(/ kymo_sleds\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)/g)].reduce(
      (sum, [, size]) => sum + parseInt(size ?? '0', 16) / 16,
      0,
    );
  }
}

function readUnit(file: string): Unit {
  const bytes = readFileSync(file);
  if (file.endsWith('.json')) return JSON.parse(bytes.toString('utf8')) as Unit;
  const kept = parseKeptText(bytes);
  if (kept === undefined) throw new Error(`${file} is no kept text`);
  return fragmentOf(kept, parser);
}

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
