import { describe, expect, it } from 'vitest';
import { lacking, lackingAll } from '../../../../src/core/scorepOptions/offered';
import type {
  OfferedScorep,
  OptionInput,
  OptionPlace,
  ScorepOption,
} from '../../../../src/core/scorepOptions/option';

const offered: OfferedScorep = {
  path: '/opt/bin/scorep',
  version: '8.4',
  flags: ['--user', '--mpp', '--thread', '--io', '--filter', '--mem'],
  paradigms: ['none', 'mpi', 'pthread'],
  variables: { SCOREP_ANY: [], SCOREP_FORMAT: ['cube4', 'tau'] },
};
const nothingKnown: OfferedScorep = { ...offered, paradigms: [], variables: {} };

function option(place: OptionPlace, values: readonly string[] = [], builtWith?: string): ScorepOption {
  const [first = '', ...others] = values;
  const choice = (value: string) => ({ value, label: `the ${value}` });
  const input: OptionInput =
    values.length === 0
      ? { kind: 'text', placeholder: '', format: { kind: 'names' } }
      : { kind: 'choice', choices: [choice(first), ...others.map(choice)] };
  return {
    id: 'x',
    group: 'metrics',
    label: 'Label',
    help: '',
    cost: { weight: 'none', text: '' },
    place,
    input,
    ...(builtWith === undefined ? {} : { builtWith }),
  };
}

const flag: OptionPlace = { kind: 'flag' };
const filter: OptionPlace = { kind: 'flag', prefix: '--filter=' };
const openFilter: OptionPlace = { kind: 'flag', prefix: '--open=' };
const variable = (name: string): OptionPlace => ({ kind: 'variable', name });
const without = (what: string): string => `Score-P 8.4 of this machine was built without ${what}.`;

describe('a value that the Score-P of this machine lacks', () => {
  it.each<[string, OptionPlace, string, string | undefined, OfferedScorep]>([
    ['no flag is always there', flag, '', undefined, offered],
    ['a flag of its help', flag, '--user', undefined, offered],
    ['another flag', flag, '--cuda', without('--cuda'), offered],
    ['a paradigm that it has', flag, '--mpp=mpi', undefined, offered],
    ['a paradigm of threads', flag, '--thread=pthread', undefined, offered],
    ['another paradigm', flag, '--mpp=shmem', without('--mpp=shmem'), offered],
    ['a paradigm of threads that it lacks', flag, '--thread=omp', without('--thread=omp'), offered],
    ['one of input and output', flag, '--io=posix', without('--io=posix'), offered],
    ['a flag of paradigms without one', flag, '--mpp', undefined, offered],
    ['a paradigm where they are not known', flag, '--mpp=shmem', undefined, nothingKnown],
    ['a value that is no paradigm', flag, '--mem=libc', undefined, offered],
    ['a prefix of its help', filter, '/a', undefined, offered],
    ['another prefix', openFilter, '/a', without('/a'), offered],
    ['a variable', variable('SCOREP_ANY'), '', undefined, offered],
    ['any value of it', variable('SCOREP_ANY'), 'x', undefined, offered],
    ['another variable', variable('SCOREP_NEW'), 'x', without('x'), offered],
    ['another variable as such', variable('SCOREP_NEW'), '', without('Label'), offered],
    ['a variable where none is known', variable('SCOREP_NEW'), 'x', undefined, nothingKnown],
    ['a listed value', variable('SCOREP_FORMAT'), 'tau', undefined, offered],
    ['the default of listed values', variable('SCOREP_FORMAT'), '', undefined, offered],
    ['several values', variable('SCOREP_FORMAT'), 'a,b', undefined, offered],
    ['a value that is not listed', variable('SCOREP_FORMAT'), 'xml', without('xml'), offered],
    ['a way to filter', { kind: 'filtering' }, 'hybrid', undefined, offered],
  ])('%s', (_, place, value, reason, scorep) => {
    expect(lacking(option(place), value, scorep)).toBe(reason);
  });

  it('is named by the package that Score-P must be built with', () => {
    expect(lacking(option(flag, [], 'PAPI'), '--cuda', offered)).toBe(without('PAPI'));
  });
});

describe('an option of which nothing can be used', () => {
  it.each<[string, ScorepOption, string | undefined]>([
    ['a variable that is not listed', option(variable('SCOREP_NEW'), ['', 'a']), without('Label')],
    ['a listed variable', option(variable('SCOREP_FORMAT'), ['', 'xml']), undefined],
    [
      'choices that all fail: the reason of the first',
      option(flag, ['', '--cuda', '--hip']),
      without('--cuda'),
    ],
    ['choices of which one can be used', option(flag, ['', '--cuda', '--user']), undefined],
    ['only the default', option(flag, ['']), undefined],
    ['a text after a prefix', option(filter), undefined],
    ['a text after an unknown prefix', option(openFilter, [], 'GCC'), without('GCC')],
    ['ways to filter', option({ kind: 'filtering' }, ['', 'hybrid']), undefined],
  ])('%s', (_, subject, reason) => {
    expect(lackingAll(subject, offered)).toBe(reason);
  });
});
