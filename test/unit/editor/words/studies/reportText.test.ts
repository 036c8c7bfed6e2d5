import { describe, expect, it } from 'vitest';
import {
  diagnosticsText,
  doctorReport,
  shortenHome,
} from '../../../../../src/editor/words/studies/reportText';

const facts = {
  versions: [['Kymo', '0.1.0']] as const,
  workspace: [['Trusted', 'yes | sure']] as const,
  settings: [['kymo.codeLens.enabled', false]] as const,
  folders: [
    {
      name: 'tiny <b>',
      doctor: {
        compilers: [],
        blocking: [],
        problems: ['No C++ compiler was found in /home/ada/bin.'],
        notes: ['It was not started.'],
      },
      studies: [],
    },
  ],
  log: ['one', '```', 'in /home/ada/code/tiny'],
};

describe('the report of Collect Diagnostics', () => {
  const text = diagnosticsText(facts, '/home/ada');

  it('has each part, and the home folder by no name', () => {
    for (const part of [
      '| Kymo | 0.1.0 |',
      '| Trusted | yes \\| sure |',
      '"kymo.codeLens.enabled": false',
      '- No C++ compiler was found in ~/bin.\n- It was not started.',
      'in ~/code/tiny',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('ada');
  });

  it('nothing in the log ends its block, and names make no markup', () => {
    expect(text).toContain('````\none\n```\n');
    expect(text).toContain('## Folder tiny \\<b\\>');
  });

  it('a machine that could not be looked at is said to be so', () => {
    const [folder] = facts.folders;
    expect(doctorReport([{ name: folder?.name ?? '', doctor: 'engine ended', studies: [] }], '')).toContain(
      'Doctor failed: engine ended',
    );
  });

  it('a home of / hides nothing', () => {
    expect(shortenHome('/tmp/x', '/')).toBe('/tmp/x');
  });
});
