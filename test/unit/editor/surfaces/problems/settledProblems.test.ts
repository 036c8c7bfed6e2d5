import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  SettledProblems,
  type ProblemSource,
  type ShownProblems,
} from '../../../../../src/editor/surfaces/problems/settledProblems';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What the Problems view has of each file. */
function collection(): ShownProblems<string, string> & { shown(): Record<string, readonly string[]> } {
  const shown = new Map<string, readonly string[]>();
  return {
    shown: () => Object.fromEntries(shown),
    clear: () => shown.clear(),
    set: (first: string | readonly [string, readonly string[]][], problems?: readonly string[]): void => {
      if (typeof first === 'string') shown.set(first, problems ?? []);
      // As VS Code does it: what it is given of a file twice adds up.
      else for (const [file, more] of first) shown.set(file, [...(shown.get(file) ?? []), ...more]);
    },
  };
}

/** A source whose files are looked at as long as the test says. */
function source(
  names: () => readonly string[],
  problemsOf: (name: string) => Promise<string[]>,
): ProblemSource<string, string> {
  return {
    async *files() {
      for (const name of names()) {
        await Promise.resolve();
        yield name;
      }
    },
    problemsOf,
  };
}

const after = (milliseconds: number, messages: string[]): Promise<string[]> =>
  new Promise((resolve) => setTimeout(() => resolve(messages), milliseconds));

describe('problems', () => {
  it('are looked for once after many changes, and stay until all are known', async () => {
    const view = collection();
    const asked: string[] = [];
    let now = 'old';
    const problems = new SettledProblems(
      view,
      source(
        () => ['a.c', 'b.c', 'clean.c'],
        (name) => {
          asked.push(name);
          return after(50, name === 'clean.c' ? [] : [`${now} of ${name}`]);
        },
      ),
    );
    for (let change = 0; change < 10; change++) {
      problems.showSoon();
      await vi.advanceTimersByTimeAsync(99);
    }
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['a.c', 'b.c', 'clean.c']);
    expect(view.shown()).toEqual({ 'a.c': ['old of a.c'], 'b.c': ['old of b.c'] });
    now = 'new';
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(220);
    expect(view.shown()).toEqual({ 'a.c': ['old of a.c'], 'b.c': ['old of b.c'] });
    await vi.advanceTimersByTimeAsync(40);
    expect(view.shown()).toEqual({ 'a.c': ['new of a.c'], 'b.c': ['new of b.c'] });
  });

  it('of a look that was overtaken are not shown, however late it ends', async () => {
    const view = collection();
    let wait = 500;
    const problems = new SettledProblems(
      view,
      source(
        () => [wait === 500 ? 'old.c' : 'new.c'],
        (name) => after(wait, [name]),
      ),
    );
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(150);
    wait = 10;
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(150);
    expect(view.shown()).toEqual({ 'new.c': ['new.c'] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(view.shown()).toEqual({ 'new.c': ['new.c'] });
  });

  it('of a file that two analyses name are shown once; a file that fails hides no other', async () => {
    const view = collection();
    const problems = new SettledProblems(
      view,
      source(
        () => ['shared.h', 'gone.c', 'shared.h', 'a.c'],
        (name) => (name === 'gone.c' ? Promise.reject(new Error('gone')) : Promise.resolve([name])),
      ),
    );
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(100);
    expect(view.shown()).toEqual({ 'shared.h': ['shared.h'], 'a.c': ['a.c'] });
  });

  it('of a document are those of its text as it is, or none', async () => {
    const view = collection();
    const document = { uri: 'a.c', version: 1 };
    const problems = new SettledProblems(
      view,
      source(
        () => [],
        () => after(50, [`version ${document.version}`]),
      ),
    );
    const first = problems.showDocument(document);
    document.version = 2;
    const second = problems.showDocument(document);
    document.version = 3;
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all([first, second]);
    expect(view.shown()).toEqual({});
    const third = problems.showDocument(document);
    await vi.advanceTimersByTimeAsync(50);
    await third;
    expect(view.shown()).toEqual({ 'a.c': ['version 3'] });
  });

  it('of a document that is opened during a look at everything stay when that ends', async () => {
    const view = collection();
    const problems = new SettledProblems(
      view,
      source(
        () => ['a.c', 'b.c'],
        (name) => after(50, name === 'a.c' ? ['old a.c'] : [name]),
      ),
    );
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(120);
    const moved = problems.showDocument({ uri: 'moved.c', version: 1 });
    await vi.advanceTimersByTimeAsync(1000);
    await moved;
    expect(view.shown()).toEqual({ 'a.c': ['old a.c'], 'b.c': ['b.c'], 'moved.c': ['moved.c'] });
    // The next look knows what there is.
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(1000);
    expect(view.shown()).toEqual({ 'a.c': ['old a.c'], 'b.c': ['b.c'] });
  });

  it('of single files are left to a look at everything that begins meanwhile', async () => {
    const view = collection();
    let told = 'single';
    const problems = new SettledProblems(
      view,
      source(
        () => ['a.c', 'b.c'],
        () => after(80, [told]),
      ),
    );
    problems.showSoon();
    const single = problems.showFiles(['a.c', 'b.c']);
    await vi.advanceTimersByTimeAsync(90);
    expect(view.shown()).toEqual({ 'a.c': ['single'] });
    told = 'all';
    await vi.advanceTimersByTimeAsync(90);
    await single;
    expect(view.shown()).toEqual({ 'a.c': ['single'] });
    await vi.advanceTimersByTimeAsync(200);
    expect(view.shown()).toEqual({ 'a.c': ['all'], 'b.c': ['all'] });
  });

  it('are not looked for, and not shown, once they are disposed of', async () => {
    const view = collection();
    const problems = new SettledProblems(
      view,
      source(
        () => ['a.c'],
        () => after(50, ['late']),
      ),
    );
    problems.showSoon();
    await vi.advanceTimersByTimeAsync(120);
    problems.showSoon();
    problems.dispose();
    await vi.advanceTimersByTimeAsync(1000);
    expect(view.shown()).toEqual({});
  });
});
