const ofConfig = (key: string, otherwise?: string): string =>
  `default: "${key}" of kymo.json${otherwise === undefined ? '' : `, else ${otherwise}`}`;
const everything = 'default: all';

/** Defaults that the definition of an option does not name, by command and option. Options without any do nothing unless they are given. */
export const defaultTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  init: {
    '--executable': 'default: what the build system produces',
    '--launcher': 'default: mpirun where the sources use MPI, else local',
  },
  refine: {
    '--strategy': ofConfig('refinement.strategy', 'hotspot'),
    '--base': ofConfig('refinement.base', 'tor'),
    '--threads': ofConfig('study'),
    '--design': ofConfig('study', 'all'),
    '--overhead': ofConfig('refinement.overheadPercent', '5'),
    '--iterations': ofConfig('refinement.maximumIterations', '5'),
    '--repetitions': ofConfig('repetitions', '3'),
    '--budget': ofConfig('refinement.budgetSeconds', '600'),
    '--parameter': 'default: its first value there',
    '--ranks': 'default: that one',
  },
  measure: {
    '--repetitions': ofConfig('repetitions', '3'),
    '--parameter': 'default: its first value there',
    '--ranks': 'default: that one',
    '--trace-iterations': everything,
  },
  run: { '--parameter': 'default: its first value there', '--ranks': 'default: that one' },
  study: {
    '--ranks': ofConfig('run.launcher.ranks'),
    '--threads': ofConfig('study'),
    '--design': ofConfig('study', 'all'),
    '--repetitions': ofConfig('repetitions', '3'),
  },
  diagnose: { '--parameter': 'default: its first value there', '--ranks': 'default: that one' },
  dynamics: {
    '--burst': 'default: 1024',
    '--duration': 'default: 0',
    '--report-threshold': 'default: 10%',
    '--method': 'default: likelihood',
    '--format': 'default: text',
  },
  properties: { '--threshold': 'default: 5' },
  compare: { '--ranks': everything, '--iterations': everything },
  'trace show': {
    '--ranks': everything,
    '--from': 'default: the beginning of the trace',
    '--until': 'default: the end of the trace',
  },
  'trace convert': {
    '--ranks': everything,
    '--what': 'default: calls',
    '--from': 'default: the beginning of the trace',
    '--until': 'default: the end of the trace',
  },
  model: { '--metric': everything, '--call-path': everything },
  select: { '--strategy': 'default: refine with --profile, else static' },
  'filter convert': { '--form': 'default: include, or exclude where the input excludes' },
};
