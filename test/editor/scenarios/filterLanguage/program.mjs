// A study of the fixture with two rounds, without a run: what the scenario needs to know of every function is fixed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeStudy } from '../../lib/studies.mjs';

export const names = {
  main: 'main',
  sweep: '_ZN12_GLOBAL__N_15sweepERSt6vectorIdSaIdEE',
  smooth: '_ZN12_GLOBAL__N_16smoothERKSt6vectorIdSaIdEEm',
  initial: '_ZN12_GLOBAL__N_17initialEm',
  many: '_Z4manyi',
};

/** @returns the folder of the study */
export function addStudy(folder) {
  const main = path.join(folder, 'main.cpp');
  const functions = [
    { name: 'main', line: 34, endLine: 44, exclusiveShare: 0.1 },
    {
      name: '(anonymous namespace)::sweep(std::vector<double>&)',
      line: 12,
      endLine: 22,
      exclusiveShare: 0.6,
    },
    // The compiler has inlined it into sweep.
    {
      name: '(anonymous namespace)::smooth(std::vector<double> const&, unsigned long)',
      line: 8,
      endLine: 10,
      selected: false,
      hasSite: false,
      timeIn: [1],
    },
    { name: '(anonymous namespace)::initial(unsigned long)', line: 24, endLine: 30, selected: false },
    { name: 'many(int)', file: path.join(folder, 'many.cpp'), line: 9, endLine: 12, exclusiveShare: 0.2 },
  ].map((one, at) => {
    const mangledName = Object.values(names)[at];
    return { file: main, visits: 10, ...one, key: mangledName, mangledName };
  });
  const directory = writeStudy(folder, { target: 'tiny', functions });
  const study = path.join(directory, 'study.json');
  const known = JSON.parse(readFileSync(study, 'utf8'));
  const [first] = known.iterations;
  known.iterations = [first, { ...first, index: 1, changed: 1 }];
  writeFileSync(study, JSON.stringify(known));
  selection(directory, 0, ['main', 'sweep', 'many', 'initial']);
  selection(directory, 1, ['main', 'sweep', 'many']);
  return directory;
}

function selection(directory, iteration, selected) {
  mkdirSync(path.join(directory, `i${iteration}`), { recursive: true });
  const decisions = Object.entries(names).map(([name, key]) => ({
    key,
    selected: selected.includes(name),
    reason: {
      rule: selected.includes(name) ? 'hot-spot' : 'too-small',
      value: 0.5,
      threshold: 0.01,
      measure: 'inclusive',
    },
  }));
  writeFileSync(
    path.join(directory, `i${iteration}`, 'selection.json'),
    JSON.stringify({ kymoSelection: 1, decisions }),
  );
}

/** A filter with one mistake of each kind. */
export const mistakes = `SCOREP_FILE_NAMES_BEGIN
  EXCLUDE many.cpp
SCOREP_FILE_NAMES_END
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE ${names.sweep}
  INCLUDE MANGLED _ZN7nowhere4goneEv
  INCLUDE MANGLED ${names.smooth}
  INCLUDE MANGLED ${names.initial}
  EXCLUDE MANGLED *initial*
  INCLUDE MANGELD ${names.many}
`;

export const whitelist = `# What is measured
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  # a hot spot
  INCLUDE MANGLED ${names.sweep}
  INCLUDE MANGLED *i*
  INCLUDE MANGLED
    main
    ${names.many}
SCOREP_REGION_NAMES_END
`;
