import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../../../../src/measurement/config/config';
import { templateOf, withInputFiles } from '../../../../src/measurement/config/inputFiles';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { failureOf } from '../../../processes';

describe('files of runs', () => {
  let workspace: string;
  beforeEach(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo templates ü '));
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));
  const target = (): Target => {
    const run = { files: { 'run.in': 'in.template' } };
    const whole = {
      name: 'x',
      build: { command: '${cc}' },
      executable: 'x',
      parameters: { nodes: [1] },
      run,
    };
    const { config } = parseConfig(
      JSON.stringify({ version: 1, targets: [whole] }),
      path.join(workspace, 'kymo.json'),
    );
    const [first] = config.targets;
    if (first === undefined) throw new Error('no target');
    return first;
  };
  const template = (text: string | Uint8Array): void =>
    writeFileSync(path.join(workspace, 'in.template'), text);

  it('names the place of an unknown placeholder', async () => {
    template('a ${nodes} ${ranks} ${threads} ${file:run.in} $${node}\n  b ${node}\n');
    const file = path.join(workspace, 'in.template');
    expect(await failureOf(withInputFiles(target(), workspace))).toMatchObject({
      reason: 'config-invalid',
      message: expect.stringMatching(/in\.template:2:5: \$\{node\}.*did you mean "nodes"/) as string,
      where: { file, line: 2, column: 5 },
    });
  });
  it('cannot be made from a missing template, or a large one', async () => {
    expect((await failureOf(withInputFiles(target(), workspace))).message).toMatch(/no such file.*"files"/);
    template('');
    truncateSync(path.join(workspace, 'in.template'), (64 << 20) + 1);
    expect((await failureOf(withInputFiles(target(), workspace))).message).toMatch(/by their own path/);
  });
  it('are made of what the template was when the command began', async () => {
    template('${nodes}');
    const { run } = await withInputFiles(target(), workspace);
    const file = run.files?.['run.in'];
    if (file === undefined) throw new Error('no file');
    expect((await templateOf(workspace, file)).text).toBe('${nodes}');
    template('${nodes} ');
    expect((await failureOf(templateOf(workspace, file))).reason).toBe('template-changed');
    const later = await withInputFiles(target(), workspace);
    expect(later.run.files?.['run.in']?.hash).not.toBe(file.hash);
  });
});
