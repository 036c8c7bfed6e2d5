import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../../package.json';
import { readTask, taskName } from '../../../../../src/editor/surfaces/tasks/taskDefinition';

describe('a task of tasks.json', () => {
  it.each([
    [{ command: 'refine' }, 'refine'],
    [{ command: 'build', target: 'nbody' }, 'build nbody'],
    [
      { command: 'measure', target: 'nbody', repetitions: 3, parameters: { n: '4' }, filter: 'a.filt' },
      'measure nbody',
    ],
  ])('%j is one', (definition, name) => {
    const task = readTask({ type: 'kymo', ...definition });
    expect(task).toEqual(definition);
    expect(typeof task === 'string' ? task : taskName(task)).toBe(name);
  });

  it.each([
    [{}, '"command" must be "refine", "measure", "build" or "study", found nothing.'],
    [{ command: 'rm' }, '"command" must be "refine", "measure", "build" or "study", found "rm".'],
    [{ command: 'build', target: 3 }, '"target" must be the name of a target in kymo.json, found 3.'],
    [{ command: 'measure', repetitions: 0 }, '"repetitions" must be a whole number of at least 1, found 0.'],
    [{ command: 'measure', parameters: { n: 4 } }, '"parameters" must be an object of texts, found {"n":4}.'],
    [
      { command: 'refine', filter: 'a' },
      '"filter" is an option of "measure"; kymo.json defines it for "refine".',
    ],
  ])('%j is told what is wrong', (definition, why) => {
    expect(readTask(definition)).toBe(why);
  });

  it('reads whatever tasks.json may hold without throwing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('command', 'target', 'filter', 'parameters'), fc.jsonValue()),
        (one) => {
          const task = readTask(one);
          expect(typeof task === 'string' || task.command.length > 0).toBe(true);
        },
      ),
    );
  });

  it('the schema of package.json knows the same keys and commands', () => {
    const [declared] = manifest.contributes.taskDefinitions;
    expect(Object.keys(declared?.properties ?? {}).sort()).toEqual([
      'command',
      'filter',
      'parameters',
      'repetitions',
      'target',
    ]);
    expect([...(declared?.properties.command.enum ?? [])].sort()).toEqual([
      'build',
      'measure',
      'refine',
      'study',
    ]);
  });
});
