// Studies without a refinement: for what is too large, too broken, or too many to be measured in a test.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a complete study of one iteration.
 * @param functions rows of `functions.json`; what is left out of one is filled in
 * @returns the folder of the study
 */
export function writeStudy(workspace, { target, functions, startedAt = '2026-11-20T10:00:00.000Z' }) {
  const study = `refine-${startedAt.slice(0, 19).replaceAll(':', '-')}`;
  const directory = path.join(workspace, '.kymo', target, study);
  mkdirSync(path.join(directory, 'i0'), { recursive: true });
  const rows = functions.map((one) => ({
    selected: true,
    reason: 'in: it is on the way to a hot spot',
    hasSite: true,
    ...one,
  }));
  const iteration = {
    index: 0,
    instrumented: rows.filter(({ selected }) => selected).length,
    executed: rows.filter(({ visits = 0 }) => visits > 0).length,
    visits: rows.reduce((sum, { visits = 0 }) => sum + visits, 0),
    medianSeconds: 1.02,
    baselineSeconds: 1,
    overheadPercent: 2,
    noisePercent: 0.5,
    changed: rows.length,
  };
  write(path.join(directory, 'functions.json'), { kymoFunctions: 1, functions: rows });
  write(path.join(directory, 'study.json'), {
    kymoStudy: 1,
    target,
    study,
    startedAt,
    state: 'complete',
    stopReason: 'fixpoint',
    fingerprint: '0',
    buildId: '',
    buildSeconds: 1,
    overheadPercent: 5,
    iterations: [iteration],
  });
  return directory;
}

/** Copies of the oldest study of a target, each a day older than the one before. */
export function copyStudy(workspace, target, copies) {
  const [original] = studiesOf(workspace, target);
  const from = path.join(workspace, '.kymo', target, original);
  return Array.from({ length: copies }, (_, n) => {
    const study = `copy-${n + 1}`;
    const directory = path.join(workspace, '.kymo', target, study);
    cpSync(from, directory, { recursive: true });
    const file = path.join(directory, 'study.json');
    const text = JSON.parse(readFileSync(file, 'utf8'));
    write(file, { ...text, study, startedAt: new Date(Date.parse(text.startedAt) - (n + 1) * 86_400_000) });
    return directory;
  });
}

/** Names of the studies that a refinement wrote, the oldest first. */
export function studiesOf(workspace, target = 'tiny') {
  return readdirSync(path.join(workspace, '.kymo', target), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('refine-'))
    .map((entry) => entry.name)
    .sort();
}

function write(file, value) {
  writeFileSync(file, JSON.stringify(value));
}
