// Which unit tests reach which function of the source, and one warm test runner for many changes of it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVitest } from 'vitest/node';
import ts from 'typescript';
import config from '../../vitest.config.mjs';
import { measureSlowness } from './machine.mjs';
import { withNotes } from './mutations.mjs';

/** A test file that runs longer than this and three times its usual time hangs: the change made a loop endless. */
const patienceMilliseconds = 15_000;
/** Test files that vitest runs in another project, because they replace modules. */
const excluded = new Set(config.test.projects.find(({ test }) => test.name === 'unit').test.exclude);
/** A change outside of functions (tables, defaults) is tried with the tests whose way of imports to it is shortest. */
const testsOfTables = 15;

/**
 * The tests of a copy of the tree, in one process that stays warm: without isolation, so that modules that did not change are transformed once.
 * `sources` are the files (relative) whose functions are followed.
 */
export class MutantTests {
  #folder;
  #longest;
  #store;
  #vitest;
  #usual = new Map();
  #reached = new Map();
  #importers;
  #failed = false;
  #slowness = measureSlowness();
  #limit;

  /**
   * @param root the tree that `folder` is a copy of
   * @param longestSeconds test files that take longer are not used
   */
  constructor(folder, root, longestSeconds) {
    this.#folder = folder;
    this.#longest = longestSeconds * 1000;
    this.#store = path.join(tmpdir(), `kymo-reached-${hashOf(root)}.json`);
  }

  /**
   * Runs the unit tests that import the sources once, to see what each reaches. What an earlier run saw of an unchanged test is used again; a source
   * that changed or came since counts as reached by the tests that reached or import it. Answers with the tests that fail without a change; they are not used.
   */
  async begin(sources) {
    const original = new Map(sources.map((file) => [file, this.#read(file)]));
    const sourceHashes = Object.fromEntries([...original].map(([file, text]) => [file, hashOf(text)]));
    this.#importers = importersOf(this.#folder);
    const tests = this.#testsThatImport(sources);
    const stored = existsSync(this.#store) ? JSON.parse(readFileSync(this.#store, 'utf8')) : {};
    const isKnown = (test) => stored[test]?.hash === hashOf(this.#read(test));
    const unknown = tests.filter((test) => !isKnown(test));
    if (unknown.length > 0) {
      console.log(`Running ${unknown.length} test files to see what each reaches …`);
      for (const [file, text] of original) this.#write(file, withNotes(file, text));
      const seen = await this.#look(unknown);
      for (const [file, text] of original) this.#write(file, text);
      for (const test of unknown)
        stored[test] = {
          hash: hashOf(this.#read(test)),
          sources: sourceHashes,
          ...(seen.get(test) ?? { failed: true }),
        };
      writeFileSync(this.#store, JSON.stringify(stored));
    }
    const failing = [];
    for (const test of tests) {
      const { reached, milliseconds, failed, sources: before } = stored[test];
      if (failed) failing.push(test);
      else if (milliseconds <= this.#longest)
        this.#reached.set(test, (file, around) => {
          if (before[file] === sourceHashes[file]) return reached[file]?.includes(around) === true;
          return before[file] === undefined
            ? distancesFrom(file, this.#importers).has(test)
            : Object.hasOwn(reached, file);
        });
      this.#usual.set(test, milliseconds ?? 0);
    }
    this.#vitest = await this.#runner([]);
    return failing;
  }

  /** test → what it reached, how long it took, whether it failed. */
  async #look(tests) {
    const setup = path.join(this.#folder, 'test', 'reachedFunctions.ts');
    const results = path.join(this.#folder, '.reached');
    mkdirSync(results);
    writeFileSync(setup, setupOf(results));
    this.#vitest = await this.#runner([setup]);
    await this.#run(tests, false);
    const seen = new Map();
    for (const module of this.#vitest.state.getTestModules())
      seen.set(this.#relative(module.moduleId), {
        milliseconds: module.diagnostic().duration,
        failed: !module.ok(),
        reached: {},
      });
    await this.#vitest.close();
    for (const name of readdirSync(results)) {
      const { test, reached } = JSON.parse(readFileSync(path.join(results, name), 'utf8'));
      const entry = seen.get(this.#relative(test));
      if (entry !== undefined) entry.reached = reached;
    }
    return seen;
  }

  /** `noticed` when a test fails or hangs, `unreached` when no test comes there. */
  async try({ file, text, begin, end, replacement, around }) {
    const tests = this.#testsOf(file, around);
    if (tests.length === 0) return 'unreached';
    this.#write(file, text.slice(0, begin) + replacement + text.slice(end));
    this.#vitest.invalidateFile(path.join(this.#folder, file));
    const passed = await this.#run(tests, true);
    this.#write(file, text);
    this.#vitest.invalidateFile(path.join(this.#folder, file));
    return passed ? 'survived' : 'noticed';
  }

  async close() {
    await this.#vitest?.close();
  }

  /** The tests that reach a function, the shortest first; those of the same room may take longer. */
  #testsOf(file, around) {
    const room = path.dirname(file).replace(/^src/, 'test/unit');
    const rank = (test) => (test.startsWith(room) ? 0.2 : 1) * (this.#usual.get(test) ?? 0);
    const near = (tests) => tests.sort((a, b) => rank(a) - rank(b));
    if (around > 0)
      return near([...this.#reached].filter(([, reaches]) => reaches(file, around)).map(([test]) => test));
    const ways = distancesFrom(file, this.#importers);
    const tests = [...this.#reached.keys()].filter((test) => ways.has(test));
    return near(tests.sort((a, b) => ways.get(a) - ways.get(b)).slice(0, testsOfTables));
  }

  #testsThatImport(sources) {
    const tests = new Set();
    for (const file of sources)
      for (const importer of distancesFrom(file, this.#importers).keys())
        if (/^test\/unit\/.*\.test\.ts$/.test(importer) && !excluded.has(importer)) tests.add(importer);
    return [...tests];
  }

  #runner(setupFiles) {
    const reporter = {
      onTestModuleQueued: ({ moduleId }) => {
        if (this.#limit !== undefined) this.#limitTime(this.#relative(moduleId));
      },
      onTestCaseResult: (test) => {
        if (test.result().state === 'failed') this.#failed = true;
      },
    };
    return createVitest(
      'test',
      {
        root: this.#folder,
        watch: false,
        project: ['unit'],
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        bail: 1,
        reporters: [reporter],
      },
      {},
      {},
    ).then(async (vitest) => {
      for (const { config } of vitest.projects) {
        config.setupFiles.push(...setupFiles);
        config.testTimeout *= 10;
      }
      await vitest.standalone();
      return vitest;
    });
  }

  async #run(tests, stopAtFailure) {
    const vitest = this.#vitest;
    const project = vitest.getProjectByName('unit');
    project.config.bail = stopAtFailure ? 1 : 0;
    vitest.config.bail = project.config.bail;
    vitest.state.idMap.clear();
    vitest.state.filesMap.clear();
    vitest.state.errorsSet.clear();
    this.#failed = false;
    if (stopAtFailure) this.#limitTime(tests[0]);
    const specifications = tests.map((test) => project.createSpecification(path.join(this.#folder, test)));
    const result = await vitest.runTestSpecifications(specifications, false).catch(() => undefined);
    clearTimeout(this.#limit);
    this.#limit = undefined;
    return (
      !this.#failed &&
      result !== undefined &&
      result.unhandledErrors.length === 0 &&
      result.testModules.every((module) => module.ok())
    );
  }

  /** Ends the workers, and counts the test as failed, when it takes much longer than usual. */
  #limitTime(test) {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(
      () => {
        this.#failed = true;
        killChildren();
      },
      this.#slowness * (patienceMilliseconds + 3 * (this.#usual.get(test) ?? 0)),
    );
  }

  #read(file) {
    return readFileSync(path.join(this.#folder, file), 'utf8');
  }

  #write(file, text) {
    writeFileSync(path.join(this.#folder, file), text);
  }

  #relative(file) {
    return path.relative(this.#folder, file);
  }
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The runner's workers: they answer nothing any more when a test loops for ever. */
function killChildren() {
  for (const task of readdirSync('/proc/self/task')) {
    const children = readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim();
    for (const child of children.split(' ').filter(Boolean)) {
      try {
        if (/vitest|node/.test(readFileSync(`/proc/${child}/comm`, 'utf8')))
          process.kill(Number(child), 'SIGKILL');
      } catch {
        // it has ended
      }
    }
  }
}

function setupOf(results) {
  return `import { afterAll } from 'vitest';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
const all = ((globalThis as any).kymoReached ??= {}) as Record<string, number[]>;
afterAll(({}, suite: any) => {
  const reached = Object.fromEntries(Object.entries(all).map(([file, marks]) => [file, Object.keys(marks).map(Number)]).filter(([, marks]) => marks.length > 0));
  for (const marks of Object.values(all)) marks.length = 0;
  writeFileSync(${JSON.stringify(results)} + '/' + randomUUID(), JSON.stringify({ test: (suite.file ?? suite).filepath, reached }));
});
`;
}

/** file → the files that import it. */
function importersOf(folder) {
  const importers = new Map();
  for (const file of ['src', 'test', 'webview', 'scripts'].flatMap((each) =>
    readdirSync(path.join(folder, each), { recursive: true }).map((name) => path.join(each, name)),
  )) {
    if (!/\.(ts|tsx|mjs)$/.test(file)) continue;
    const { importedFiles } = ts.preProcessFile(readFileSync(path.join(folder, file), 'utf8'), true, false);
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const imported = path.join(path.dirname(file), fileName).replace(/\.js$/, '');
      for (const name of [imported, `${imported}.ts`, `${imported}/index.ts`])
        importers.set(name, [...(importers.get(name) ?? []), file]);
    }
  }
  return importers;
}

function distancesFrom(file, importers) {
  const distances = new Map([[file, 0]]);
  const queue = [file];
  for (const next of queue)
    for (const importer of importers.get(next) ?? [])
      if (!distances.has(importer)) {
        distances.set(importer, (distances.get(next) ?? 0) + 1);
        queue.push(importer);
      }
  return distances;
}
