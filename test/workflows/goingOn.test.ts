import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExperiment } from '../../src/measurement/experiments/experimentFile';
import { refine } from '../../src/workflows/refine';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { failureOf } from '../processes';

const source = (work: string): string => `volatile double sink;
void ${work}(int n) { for (int i = 0; i < n; i++) { sink += i; sink *= 0.5; sink -= 1; sink += 2; } }
int main(void) {
  for (int i = 0; i < 50; i++) ${work}(20000);
  return 0;
}
`;

/** A refinement that was cancelled after its first measured run, and what became of its program until it goes on. */
describe.each([
  { together: false, after: 'Baseline run 2' },
  { together: true, after: 'Round 0, run 2 of 2' },
])('going on with a cancelled refinement, runs together: $together', ({ together, after }) => {
  let workspace: string;
  let stopped: string;
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo going on ü-'));
    writeFileSync(
      path.join(workspace, 'Makefile'),
      'program: main.o\n\t$(CC) -o $@ main.o\nmain.o: main.c\n\t$(CC) -O1 -g -c main.c\nclean:\n\trm -f program main.o\n',
    );
    const build = { command: 'make CC="${cc}"', clean: 'make clean' };
    // An only iteration is repeated, however slow its first run is.
    const refinement = { maximumIterations: 1 };
    const program = { name: 'it', build, executable: 'program', run: { together } };
    const targets = [{ ...program, repetitions: 2, refinement }];
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
    write(source('work'));
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  /** Its time is another one in any case. */
  const write = (text: string): void => writeFileSync(path.join(workspace, 'main.c'), text);
  const goOn = (): Promise<RefineResult> => refine({ workspace, signal: new AbortController().signal });
  const begun = async (directory: string): Promise<string> => {
    const folder = path.join(directory, 'i0');
    const first = readdirSync(folder).find((name) => /^(?!baseline).*\.r1$/.test(name));
    return (await readExperiment(path.join(folder, first ?? ''))).startedAt;
  };
  const cancelled = async (): Promise<string> => {
    const stop = new AbortController();
    let directory = '';
    const running = refine({
      workspace,
      resume: false,
      signal: stop.signal,
      onStudy: (folder) => (directory = folder),
      progress: {
        log: () => undefined,
        report: ({ message }) => {
          if (message === after) stop.abort();
        },
      },
    });
    expect((await failureOf(running)).reason).toBe('cancelled');
    return directory;
  };

  it('uses what it measured when nothing has changed', async () => {
    stopped = await cancelled();
    const first = await begun(stopped);
    const result = await goOn();
    expect(result.directory).toBe(stopped);
    expect(result.builds).toBe(1);
    expect(await begun(stopped)).toBe(first);
    expect(result.notes.join(' ')).not.toContain('new study');
  });

  it('begins a new study when the source has changed, and says why', async () => {
    stopped = await cancelled();
    write(source('other_work'));
    const result = await goOn();
    expect(result.directory).not.toBe(stopped);
    expect(result.hotFunctions.map(({ name }) => name)).toContain('other_work');
    expect(result.notes.join(' ')).toMatch(/not the one that refine-\S+ measured .* a new study has begun/);
    expect(state(stopped)).toBe('failed');
    expect(state(result.directory)).toBe('complete');
  });

  it('fails with the messages of the compiler, and goes on when the program builds again', async () => {
    stopped = await cancelled();
    const first = await begun(stopped);
    write(source('other_work').replace('return 0;', 'return 0'));
    const error = await failureOf(goOn());
    expect(error.reason).toBe('build-failed');
    expect(error.message).toMatch(/main\.c:5:\d+: expected ‘;’/);
    expect(error.where).toMatchObject({ file: path.join(workspace, 'main.c'), line: 5 });
    write(source('other_work'));
    const result = await goOn();
    expect(result.directory).toBe(stopped);
    expect(await begun(stopped)).toBe(first);
  });

  const state = (directory: string): unknown =>
    (JSON.parse(readFileSync(path.join(directory, 'study.json'), 'utf8')) as { readonly state: unknown })
      .state;
});
