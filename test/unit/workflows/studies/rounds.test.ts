import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/core/selection/selection';
import { acceptRound, acceptOfTarget } from '../../../../src/workflows/accept';
import { recordedNames } from '../../../../src/workflows/gating/recordedNames';
import { acceptedSelection, usualSelection } from '../../../../src/workflows/targets/usualSelection';
import { functionHistory, roundDifference, roundFilter } from '../../../../src/workflows/studies/rounds';
import { deleteStudy, listStudies } from '../../../../src/workflows/studies/studies';
import { iterationOf, studyFileOf } from '../studyFiles';

/** A study of three iterations as `refine` leaves it, but for the profiles. */
let workspace: string;
let study: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo-iterations-'));
  study = path.join(workspace, '.kymo/t/refine-1');
  writeIteration(0, [
    ['main', true, 'entry'],
    ['tiny', true, 'statements'],
    ['cold', false, 'too-small'],
  ]);
  writeIteration(1, [
    ['main', true, 'entry'],
    ['tiny', false, 'too-expensive'],
    ['cold', true, 'expand'],
  ]);
  writeIteration(2, [
    ['main', true, 'entry'],
    ['tiny', false, 'too-expensive'],
    ['cold', true, 'budget'],
  ]);
  const functions = ['main', 'tiny', 'cold'].map((key) => ({
    key,
    name: `${key}()`,
    mangledName: `_Z4${key}v`,
    selected: key !== 'tiny',
    reason: '',
    hasSite: true,
  }));
  write('functions.json', { kymoFunctions: 1, functions });
  write(
    'study.json',
    studyFileOf({
      study: 'refine-1',
      overheadPercent: 5,
      iterations: [0, 1, 2].map((index) => iterationOf(index)),
    }),
  );
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(name: string, value: unknown): void {
  mkdirSync(path.dirname(path.join(study, name)), { recursive: true });
  writeFileSync(path.join(study, name), JSON.stringify(value));
}

function writeIteration(index: number, decisions: readonly (readonly [string, boolean, Rule])[]): void {
  write(`i${index}/selection.json`, {
    kymoSelection: 1,
    id: 'x',
    decisions: decisions.map(([key, selected, rule]) => ({ key, selected, reason: { rule } })),
  });
}

describe('iterations of a study', () => {
  it('differ by what entered and left, with the reasons before and after', async () => {
    const difference = await roundDifference(study, 0, 2);
    expect(difference.map(({ name, change }) => `${change} ${name}`)).toEqual([
      'entered cold()',
      'left tiny()',
    ]);
    expect(difference[0]?.before).toMatch(/^out: /);
    expect(difference[0]?.after).toMatch(/^in: the overhead target has room/);
    expect(await roundDifference(study, 1, 2)).toEqual([]);
  });

  it('tell the history of a function', async () => {
    const history = await functionHistory(study, 'tiny');
    expect(history.map(({ iteration, selected, rule }) => [iteration, selected, rule])).toEqual([
      [0, true, 'statements'],
      [1, false, 'too-expensive'],
      [2, false, 'too-expensive'],
    ]);
    expect(await functionHistory(study, 'nobody')).toEqual([]);
  });

  it('become a Score-P filter of what was recorded then', async () => {
    const filter = await roundFilter(study, 0);
    expect(filter).toContain('INCLUDE MANGLED _Z4tinyv');
    expect(filter).not.toContain('_Z4coldv');
  });

  it.each(['', '{"kymoSelection":1,"decisions":[{}]}', '{"kymoSelection":1', 'null'])(
    'that are damaged (%j) are an error with the file',
    async (content) => {
      writeFileSync(path.join(study, 'i1/selection.json'), content);
      await expect(roundDifference(study, 0, 1)).rejects.toMatchObject({
        reason: 'iteration-invalid',
        where: { file: path.join(study, 'i1/selection.json') },
      });
    },
  );
});

describe('accepting an iteration', () => {
  it('is kept for the target, told by the list of studies, and used', async () => {
    await acceptRound(study, 1);
    expect((await listStudies(workspace))[0]).toMatchObject({ accepted: 1, targetPercent: 5 });
    const found = await acceptedSelection(path.dirname(study));
    expect(found?.selection.decisions.get('cold')?.selected).toBe(true);
    expect(await acceptOfTarget({ workspace })).toMatchObject({ target: 't', iteration: 2 });
  });

  it('is said once, at the end, with the round', async () => {
    await acceptRound(study, 1);
    const prepared = { graph: { functions: [], edges: [] }, sites: new Map() };
    expect(await usualSelection(path.dirname(study), prepared)).toMatchObject({
      notes: [],
      origin: 'Recorded the accepted selection: round 1 of refine-1. Give --filter to record something else.',
    });
  });

  it('refuses iterations that were not measured, and studies that are none', async () => {
    await expect(acceptRound(study, 7)).rejects.toMatchObject({ reason: 'iteration-invalid' });
    await expect(acceptRound(workspace, 0)).rejects.toMatchObject({ reason: 'study-invalid' });
    await expect(acceptOfTarget({ workspace, study: 'no' })).rejects.toMatchObject({
      reason: 'study-missing',
    });
  });

  it('ends with the study, and a file that points elsewhere counts for nothing', async () => {
    await acceptRound(study, 1);
    const file = path.join(workspace, '.kymo/t/accepted.json');
    const accepted = JSON.parse(readFileSync(file, 'utf8')) as object;
    for (const name of ['..', '../../../etc', 'gone', '']) {
      writeFileSync(file, JSON.stringify({ ...accepted, study: name }));
      expect(await acceptedSelection(path.dirname(study))).toBeUndefined();
    }
    await acceptRound(study, 1);
    await deleteStudy(study);
    expect(await acceptedSelection(path.dirname(study))).toBeUndefined();
    expect(() => readFileSync(file)).toThrow();
  });
  it('are what both sides of a gate record, of the newest refinement or of the accepted one, also in the first gate of a clone', async () => {
    const recorded = async (): Promise<string> => {
      const file = await recordedNames(workspace, 't');
      return file === undefined ? '' : readFileSync(file, 'utf8');
    };
    expect(await recorded()).toBe('_Z4mainv\n_Z4coldv\n');
    await acceptRound(study, 0);
    expect(await recorded()).toBe('_Z4mainv\n_Z4tinyv\n');
    expect(await recordedNames(workspace, 'another')).toBeUndefined();
  });
});
