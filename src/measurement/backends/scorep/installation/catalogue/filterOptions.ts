import type { ScorepOption } from '../../../../../core/scorepOptions/option';

/** Options that exclude functions, at compile time or at run time. */
export const filterOptions: readonly ScorepOption[] = [
  {
    id: 'filtering',
    group: 'filter',
    label: 'Kymo’s selection',
    help: 'Where the functions that Kymo selects take effect. Hybrid: at run time, and a new build where that would leave more than 0.5 % behind.',
    cost: {
      weight: 'none',
      text: 'Compile time: a build for each selection, and no cost of excluded functions. Run time: one build, and the cost of the run-time filter.',
    },
    place: { kind: 'filtering' },
    input: {
      kind: 'choice',
      choices: [
        { value: '', label: 'Hybrid (default)', aliases: ['hybrid'] },
        { value: 'compile-time', label: 'Compile time' },
        { value: 'run-time', label: 'Run time' },
      ],
    },
  },
  {
    id: 'instrumentFilter',
    group: 'filter',
    label: 'Filter file at compile time',
    help: 'Functions that it excludes are not instrumented. Build from clean when it changes, because make does not notice.',
    cost: {
      weight: 'none',
      text: 'An excluded function costs nothing; inline functions need an INCLUDE other than *.',
    },
    place: { kind: 'flag', prefix: '--instrument-filter=' },
    input: { kind: 'text', placeholder: 'No filter', format: { kind: 'file', absolute: true } },
    kymo: { kind: 'own', text: 'Kymo writes the filter of each selection itself.' },
  },
  {
    id: 'SCOREP_FILTERING_FILE',
    group: 'filter',
    label: 'Filter file at run time',
    help: 'Functions that it excludes are skipped while the program runs; no build is needed. MPI and OpenMP regions are still recorded.',
    cost: {
      weight: 'low',
      text: '0.2–1.6 ns per skipped visit, and the lost inlining: twice the run time for a program of tiny functions.',
    },
    place: { kind: 'variable', name: 'SCOREP_FILTERING_FILE' },
    input: { kind: 'text', placeholder: 'No filter', format: { kind: 'file', absolute: true } },
    kymo: { kind: 'own', text: 'Kymo writes the filter of each selection itself.' },
  },
];
