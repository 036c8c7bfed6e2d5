import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerProfile } from '../../../../src/cli/commands/profile';
import { registerReport } from '../../../../src/cli/commands/report';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { writeCube } from '../../../../src/formats/cube4/write';
import { ProfileBuilder } from '../../../profileBuilder';
import { useCommandFolder } from './commandFolder';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const mpi = path.join(fixtures, 'lulesh-mpi.cubex');
const { inFolder, file, run } = useCommandFolder('report');

interface Result {
  readonly in: string;
  readonly out: string;
  readonly bytes: number;
  readonly sections: readonly string[];
  readonly notes: readonly string[];
}
const report = async (...words: string[]): Promise<Result> =>
  (await run([registerReport], ['report', ...words])).result as Result;
const read = (name: string): string => readFileSync(name, 'utf8');

/** A profile of a program whose names are hostile, on so many ranks. */
function profile(p: number, name = 'solve', seconds = 3 * p): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 't', rank: 0, thread: 0, process, kind: 'thread' });
  const region = (own: string): number =>
    builder.region({ name: own, file: '/w/a.c', firstLine: 3, paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region('main'));
  const solve = builder.callPath(main, region(name));
  builder.set('visits', main, 0, 1).set('time', main, 0, 1 + seconds);
  builder.set('visits', solve, 0, 10).set('time', solve, 0, seconds);
  return writeCube(builder.build());
}

/** A study of the target `t` at five numbers of ranks. */
function study(name: string): string {
  const directory = inFolder('.kymo', 't', name);
  const points = [1, 2, 4, 8, 16].map((p) => {
    const folder = `measured.p${p}.r1`;
    mkdirSync(path.join(directory, folder), { recursive: true });
    writeFileSync(path.join(directory, folder, 'profile.cubex'), profile(p));
    const runs = [{ repetition: 1, folder, wallSeconds: p, spentSeconds: 1 }];
    return { coordinates: { p: String(p) }, planned: true, runs };
  });
  const text = {
    ...{ kymoParameterStudy: 1, target: 't', study: name, startedAt: '', variant: 'measured', seed: 1 },
    ...{ fingerprint: '', buildId: '', selection: '', design: 'all', repetitions: 1, points },
  };
  writeFileSync(path.join(directory, 'parameter-study.json'), JSON.stringify(text));
  return directory;
}

describe('kymo report', () => {
  it('has the sections that a profile of several ranks has, with the numbers of the other commands', async () => {
    const out = inFolder('ranks.html');
    const { sections, bytes, notes, ...files } = await report(mpi, '--out', out);
    expect(files).toEqual({ in: mpi, out });
    expect(sections).toEqual(['summary', 'hot-spots', 'diagnosis', 'efficiency', 'groups', 'measured']);
    expect(notes).toEqual([]);
    const page = read(out);
    expect(Buffer.byteLength(page)).toBe(bytes);
    for (const id of sections) expect(page).toContain(`<h2 id="${id}">`);
    const { text } = await run([registerProfile], ['profile', 'show', mpi, '--top', '3'], false);
    const hottest = text.split('\n').filter((line) => /^ *[\d.]+ %/.test(line));
    expect(hottest).toHaveLength(3);
    for (const line of hottest)
      for (const cell of line.trim().split(/ {2,}/).slice(0, 6))
        expect(page).toContain(`>${cell.replace('<', '&lt;')}<`);
    expect(page).toContain('No measurement of Kymo is beside the profile');
  });

  it('makes the folders of its file, and refuses a folder in place of it', async () => {
    const { out } = await report(mpi, '--out', inFolder('made', 'here', 'a.html'));
    expect(read(out)).toContain('</html>');
    for (const name of [inFolder('made'), `${inFolder('made')}/`, `${inFolder('other')}/`])
      await expect(report(mpi, '--out', name)).rejects.toMatchObject({
        reason: 'file-unusable',
        message: `“${name}” is a folder; give the name of a file to write.`,
      });
  });

  it('of a study over parameters has models with their curves, and its points', async () => {
    const directory = study('study-1');
    const { out, sections } = await report(directory);
    expect(out).toBe(inFolder('.kymo', 't', 'study-1.html'));
    expect(sections).toEqual(['summary', 'models', 'measured']);
    const page = read(out);
    expect(page).toContain('<title>Performance of t</title>');
    expect(page).toMatch(/solve grows with p/);
    expect(page).toMatch(/<figcaption>solve over p<\/figcaption>/);
    expect(page).toContain('p = 16</th>');
  });

  it('is of the newest study of the target where none is named', async () => {
    study('study-2');
    const target = { name: 't', build: { command: 'make CC=${cc}' }, executable: './t' };
    file('kymo.json', JSON.stringify({ version: 1, targets: [target] }));
    expect((await report()).in).toBe(inFolder('.kymo', 't', 'study-2'));
    expect((await report(inFolder('.kymo', 't'))).in).toBe(inFolder('.kymo', 't', 'study-2'));
  });

  it('shows hostile names as they are, and nothing of them is markup', async () => {
    const name = '</title><script>alert("1")</script>\u202e<img src=x onerror=\'alert(1)\'>';
    writeFileSync(inFolder('hostile.cubex'), profile(1, name));
    const page = read((await report(inFolder('hostile.cubex'))).out);
    expect(page).toContain(
      '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;⟨U+202E⟩&lt;img src=x onerror=&#39;alert(1)&#39;&gt;',
    );
    expect(page).not.toMatch(/<script|<img/);
    expect(page.split('<title>')).toHaveLength(2);
  });

  it('names what a section lacks, instead of ending', async () => {
    const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    for (const rank of [0, 1]) builder.location({ name: 't', rank, thread: rank, process, kind: 'thread' });
    const main = builder.callPath(
      undefined,
      builder.region({ name: 'main', paradigm: 'compiler', role: 'function' }),
    );
    builder.set('visits', main, 0, 1).set('time', main, 0, 1);
    writeFileSync(inFolder('two.cubex'), writeCube(builder.build()));
    const { sections, notes } = await report(inFolder('two.cubex'));
    expect(sections).not.toContain('efficiency');
    expect(notes.join()).toMatch(/^There is no section on efficiency: /);
    expect(read(inFolder('two.html'))).toContain('There is no section on efficiency: ');
  });

  it('replaces its own page, and no other file without --force', async () => {
    const out = inFolder('twice.html');
    await report(mpi, '--out', out);
    await report(mpi, '--out', out);
    writeFileSync(out, '<!doctype html>\n<html><p>Mine</p></html>');
    await expect(report(mpi, '--out', out)).rejects.toMatchObject({
      reason: 'file-exists',
      message: `${out} exists and is no report of Kymo. Name another file with --out, or replace it with --force.`,
    });
    expect(read(out)).toContain('Mine');
    await report(mpi, '--out', out, '--force');
    expect(read(out)).not.toContain('Mine');
  });

  it('refuses a link in the folder of results as its file', async () => {
    const directory = study('study-3');
    symlinkSync(file('mine.txt', ''), `${directory}.html`);
    await expect(report(directory)).rejects.toMatchObject({ reason: 'results-linked' });
  });

  it.each([
    [
      'a file that is no profile',
      () => file('notes.txt', 'text'),
      'usage',
      /folder of a study.*or a \.cubex file/,
    ],
    ['what does not exist', () => inFolder('absent'), 'file-missing', /absent/],
    ['a damaged profile', () => file('damaged.cubex', 'text'), /./, /damaged\.cubex/],
    [
      'an empty folder',
      () => (mkdirSync(inFolder('empty')), inFolder('empty')),
      'no-profile',
      /has no profile/,
    ],
    [
      'a target without results',
      () => (mkdirSync(inFolder('.kymo', 'bare'), { recursive: true }), inFolder('.kymo', 'bare')),
      'no-results',
      /kymo refine/,
    ],
  ])('says what is wrong with %s', async (_, make, reason, message) => {
    const out = inFolder('wrong.html');
    await expect(report(make(), '--out', out)).rejects.toMatchObject({
      reason: (typeof reason === 'string' ? reason : expect.stringMatching(reason)) as string,
      message: expect.stringMatching(message) as string,
    });
    expect(existsSync(out)).toBe(false);
  });
});
