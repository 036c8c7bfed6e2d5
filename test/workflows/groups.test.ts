import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import type { GroupsReport } from '../../src/workflows/groups';
import { measure } from '../../src/workflows/measure';

const cli = path.resolve('dist/cli.js');
const ready = existsSync(path.resolve('dist/wrapper.js')) && (await findProgram('mpirun')) !== undefined;

function kymo(...words: readonly string[]): {
  readonly status: number | null;
  readonly text: string;
  readonly error: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, text: stdout, error: stderr };
}

const report = (...words: readonly string[]): GroupsReport =>
  JSON.parse(kymo('groups', ...words, '--json').text) as GroupsReport;

describe.skipIf(!ready)('groups of the example with roles', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo groups ü '));
    const workspace = path.join(folder, 'roles');
    cpSync(path.resolve('examples/roles'), workspace, { recursive: true });
    const measured = await measure({
      workspace,
      filter: path.join(workspace, 'all.filter'),
      repetitions: 1,
      signal: new AbortController().signal,
    });
    file = measured.profile;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are the master, the workers, the one that repairs, the writer, and the threads', () => {
    const { groups, processes, verdict, sentences, properties } = report(file);
    expect(groups.map(({ processes: names }) => names)).toEqual([
      '0 (thread 0)',
      '1, 3–4 (thread 0)',
      '1–4 (thread 1)',
      '2 (thread 0)',
      '5 (thread 0)',
    ]);
    expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual([...processes.keys()]);
    expect(verdict).toBe('regular');
    expect(sentences.join(' ')).toMatch(
      /Rank 2 does everything that ranks 1, 3–4 do, and additionally calls repair \(.* m?s\)\./,
    );
    const titles = properties.map(({ title }) => title).join('\n');
    expect(titles).toMatch(/^Only rank 0 calls distribute, which takes /m);
    expect(titles).toMatch(/^Only rank 5 calls writeResults, which takes /m);
  });

  it('are described alike for people, and for a profile as JSON', () => {
    const { sentences, groups, similarity, subsumption } = report(file);
    const { text } = kymo('groups', file);
    for (const sentence of sentences) expect(text).toContain(sentence);
    const json = path.join(folder, 'roles.json');
    writeFileSync(json, kymo('profile', 'show', file, '--per-location', '--json').text);
    expect(report(json)).toMatchObject({ groups, similarity, subsumption, sentences });
    // A run and itself: each group has the processes of both.
    const both = report(file, json);
    expect(both.groups.map(({ members }) => members.length)).toEqual(
      groups.map(({ members }) => 2 * members.length),
    );
  });

  it('have a graph of what they have in common', () => {
    const [dot, svg] = [path.join(folder, 'g.dot'), path.join(folder, 'g.svg')];
    for (const graph of [dot, svg]) expect(kymo('groups', file, '--graph', graph).status).toBe(0);
    expect(readFileSync(dot, 'utf8')).toMatch(/work → repair/);
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg[^]*repair[^]*<\/svg>\s*$/);
    const whole = path.join(folder, 'whole.dot');
    expect(kymo('groups', file, '--graph', whole, '--lattice').status).toBe(0);
    expect(readFileSync(whole, 'utf8')).toContain('no thread has all of it');
    const other = kymo('groups', file, '--graph', path.join(folder, 'g.txt'));
    expect(other).toMatchObject({ status: 2, error: expect.stringContaining('.svg or .dot') as string });
  });

  it('G-5: are written as CSV, with the numbers of the JSON', () => {
    const [csv, similar, all] = ['g.csv', 's.csv', 'a.csv'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    const { status } = kymo('groups', file, '--csv', csv, '--similarity', similar, '--subsumption', all);
    expect(status).toBe(0);
    const { groups, similarity, subsumption } = report(file);
    const rows = (name: string) => readFileSync(name, 'utf8').trim().split('\r\n').slice(1);
    expect(rows(csv).map((row) => row.split(',').slice(0, 3).map(Number))).toEqual(
      groups.map(({ members, attributes }, group) => [group + 1, members.length, attributes.length]),
    );
    const numbers = (name: string) =>
      rows(name).map((row) => row.split(',').slice(-groups.length).map(Number));
    expect(numbers(similar)).toEqual(similarity);
    expect(numbers(all)).toEqual(subsumption);
    const refused = kymo('groups', file, '--coarser', 'equality', '--similarity', similar);
    expect(refused).toMatchObject({ status: 2, error: expect.stringContaining('no matrix') as string });
  });

  it('D6, D7, D8: rank what differs between groups and within them, and name calls that correspond', () => {
    const { text } = kymo('groups', file);
    expect(text).toMatch(
      /Between groups, what differs most:\n {2}[^]*Rank 2, not ranks 1, 3–4: work → repair; /,
    );
    expect(text).toMatch(/Within groups, times that differ most \(2nd to 98th percentile\):\n {2}group \d/);
    expect(text).toMatch(/Calls that all make equally often:\n {2}roles: 1 visit of each thread/);
    expect(kymo('groups', file, '--k-means', '2').text).toContain(
      '10 processes in 2 groups of similar times',
    );
    expect(kymo('groups', file, '--k-means', '0').status).not.toBe(0);
  });

  it('explain what cannot be read', () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{"regions": []}');
    expect(kymo('groups', broken)).toMatchObject({
      status: 1,
      error: expect.stringContaining('callTree') as string,
    });
    expect(kymo('groups', file, '--threshold', '2').status).not.toBe(0);
    expect(kymo('groups', path.join(folder, 'none.cubex')).error).toContain('none.cubex');
  });
});
