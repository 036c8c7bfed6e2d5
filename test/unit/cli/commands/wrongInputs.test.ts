import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerDynamics } from '../../../../src/cli/commands/dynamics';
import { KymoError } from '../../../../src/core/errors';
import { runCommand } from './runCommand';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kymo wrong '));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fixtures = path.resolve('test/fixtures');

async function refusal(...words: string[]): Promise<KymoError> {
  const error = await runCommand([registerDynamics], folder, ['dynamics', ...words]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof KymoError)) throw new Error(`no refusal, but ${String(error)}`);
  return error;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const binary = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i) % 256));

const written: readonly (readonly [name: string, content: Buffer, what: RegExp, use: RegExp])[] = [
  ['nothing.csv', bytes(''), /is empty/, /Write it again/],
  ['solver', Buffer.concat([bytes('\x7fELF\x02\x01\x01'), binary]), /program or library/, /kymo measure/],
  ['run.csv.gz', gzipSync('iteration,a\n1,2\n'), /gzip/, /gunzip/],
  ['run.csv.xz', Buffer.concat([bytes('\xfd7zXZ\0'), binary]), /xz/, /unxz/],
  ['run.zip', Buffer.concat([bytes('PK\x03\x04'), binary]), /ZIP archive/, /Unpack it first/],
  ['run.tar', Buffer.concat([bytes('x'.padEnd(257, '\0')), bytes('ustar\0'), binary]), /tar/, /Unpack/],
  ['perf.data', Buffer.concat([bytes('PERFILE2'), binary]), /Linux perf/, /no command of Kymo takes it/],
  [
    'callgrind.out.1',
    bytes('# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir\n'),
    /Callgrind/,
    /no command/,
  ],
  ['old.callgrind', bytes('version: 1\ncreator: callgrind-3.2\n'), /Callgrind/, /no command/],
  ['t.json', json({ displayTimeUnit: 'ns', traceEvents: [] }), /Chrome or Perfetto/, /kymo trace show/],
  ['list.json', json([{ name: 'a', ph: 'X', ts: 1 }]), /Chrome or Perfetto/, /kymo trace convert/],
  ['p.1.trace', Buffer.concat([bytes('KYMOTRC1'), binary]), /trace of a process/, /traces\.otf2/],
  ['p.1.result', Buffer.concat([bytes('KYMORES4'), binary]), /result of a process/, /folder/],
  ['a.mvtrace', bytes('#mvtrace 1  rank=1  nranks=12\n'), /call-graph trace/, /kymo compare/],
  ['kymo.json', json({ version: 1, targets: [{ name: 'a' }] }), /settings/, /--workspace/],
  ['study.json', json({ kymoStudy: 1, target: 'a' }), /study/, /folder that it is in/],
  ['experiment.json', json({ kymoExperiment: 1 }), /experiment/, /folder that it is in/],
  ['parameter-study.json', json({ kymoParameterStudy: 1 }), /study/, /kymo model/],
  ['kymo.rules.json', json({ kymoRules: 1, rules: [] }), /rules/, /--rules/],
  ['properties.json', json({ properties: [] }), /list of properties/, /found in/],
  ['a.filter', bytes('# mine\nSCOREP_REGION_NAMES_BEGIN\n'), /filter of Score-P/, /kymo filter check/],
  ['excel.txt', Buffer.from('\ufeffiteration\ta\n1\t2\n', 'utf16le'), /UTF-16/, /Save it as UTF-8/],
  ['noise.bin', binary, /binary file/, /Give another file/],
];

describe('kymo dynamics with a file of another kind', () => {
  it.each(written)(
    '%s: says what it is, what is expected and what takes it',
    async (name, content, what, use) => {
      const file = path.join(folder, name);
      writeFileSync(file, content);
      const { reason, message, where } = await refusal(file);
      expect([reason, where.file]).toEqual(['wrong-file', file]);
      expect(message.startsWith(`${file} is `)).toBe(true);
      expect(message).toMatch(what);
      expect(message).toContain('A series file, a profile with iterations');
      expect(message).toMatch(use);
      expect(message).not.toMatch(/[\n\r]/);
      // The same where several files are one run.
      const good = path.join(folder, 'good.csv');
      writeFileSync(good, 'iteration,a\n1,2\n');
      expect((await refusal(good, file)).message).toBe(message);
    },
  );

  it('parts of an OTF2 trace: which command takes the trace', async () => {
    const archive = path.join(fixtures, 'otf2/every');
    for (const [name, what] of [
      ['every.otf2', /anchor of an OTF2 trace.*“kymo trace show”.* take it/],
      ['every/1.evt', /part of an OTF2 trace.*“kymo trace show”.*\*\.otf2/],
      ['every.def', /part of an OTF2 trace/],
    ] as const)
      expect((await refusal(path.join(archive, name))).message).toMatch(what);
  });

  it('a profile without iterations, and a folder without any: what to do', async () => {
    const profile = await refusal(path.join(fixtures, 'cube4/tiny.cubex'));
    expect(profile.reason).toBe('no-iterations');
    expect(profile.message).toMatch(/“kymo properties”.*Mark a phase/);
    const none = path.join(folder, 'none');
    mkdirSync(none);
    const { reason, message } = await refusal(none);
    expect(reason).toBe('no-iterations');
    expect(message).toMatch(/^No experiment in .* has iterations\. Mark a phase/);
  });

  it.each([
    ['Time [s];Value\n1;2\n', '“Time [s]”'],
    ['rank,region,iteration\n0,a,1\n', '“rank”'],
    ['\u001b[31mred,b\n', '“␛[31mred”'],
  ])('a table of another tool (%j): the column that is needed', async (text, first) => {
    const file = path.join(folder, 'other.csv');
    writeFileSync(file, text);
    const { reason, message } = await refusal(file);
    expect(reason).toBe('series-invalid');
    expect(message).toContain(`${first} was found`);
    expect(message).toContain('a first column “iteration” and a column for each region');
    expect(message).not.toContain('\u001b');
  });
});
