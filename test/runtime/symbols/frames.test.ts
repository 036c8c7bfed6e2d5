import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { namedBytes } from '../../../src/formats/byteSource';
import { ElfFile } from '../../../src/formats/elf/elfFile';
import { rowAt, type CfaRule, type RegisterRule } from '../../../src/formats/elf/frames/frameRules';
import { FrameTable } from '../../../src/formats/elf/frames/frameTable';
import { Workbench } from '../harness';

const bench = new Workbench();
const registers = ['rax', 'rdx', 'rcx', 'rbx', 'rsi', 'rdi', 'rbp', 'rsp', 'r8', 'r9', 'r10', 'r11'];
const numberOf = (name: string): number =>
  name === 'ra' ? 16 : registers.includes(name) ? registers.indexOf(name) : Number(name.slice(1));
const nameOf = (number: number): string => registers[number] ?? `r${number}`;
const signed = (offset: number): string => (offset < 0 ? String(offset) : `+${offset}`);

function shownCfa(rule: CfaRule | undefined): string {
  if (rule?.kind !== 'register') return 'exp';
  return `${nameOf(rule.register)}${signed(rule.offset)}`;
}

function shown(rule: RegisterRule | undefined): string {
  switch (rule?.kind) {
    case 'at':
      return `c${signed(rule.offset)}`;
    case 'is':
      return `v${signed(rule.offset)}`;
    case 'register':
      return `r${rule.register}`;
    case 'same':
      return 's';
    case 'atExpression':
      return 'exp';
    case 'isExpression':
      return 'vexp';
    case 'undefined':
    case undefined:
      return 'u';
  }
}

/** Rows of the table that binutils make of the same section: `address cfa name=rule …`. */
function golden(file: string): readonly string[] {
  // It fails where it does not find separate debug information that it looks for, after the rows.
  const { stdout: text } = spawnSync('readelf', ['--debug-dump=frames-interp', '--wide', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return text.split('\n\n').flatMap((entry) => {
    if (!entry.includes(' FDE ')) return [];
    const [, names = '', body = ''] = /^ +LOC +CFA +(.*)\n([^]*)/m.exec(entry) ?? [];
    const columns = names.trim().split(/ +/);
    return body
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [address = '', cfa = '', ...rules] = line
          .replace(/ \(\w+\)/g, '')
          .trim()
          .split(/ +/);
        return `${address} ${cfa} ${columns.map((name, i) => `${name}=${rules[i] ?? ''}`).join(' ')}`;
      });
  });
}

function own(table: FrameTable, row: string): string {
  const [address = '', , ...columns] = row.split(' ');
  const linked = Number.parseInt(address, 16);
  const description = table.find(linked);
  const found = description && rowAt(description, linked);
  const rules = columns.map((column) => {
    const name = column.split('=')[0] ?? '';
    return `${name}=${shown(found?.registers.get(numberOf(name)))}`;
  });
  return `${address} ${shownCfa(found?.cfa)} ${rules.join(' ')}`;
}

describe('frame rules are those that binutils show', () => {
  const libc = execFileSync('gcc', ['-print-file-name=libc.so.6'], { encoding: 'utf8' }).trim();
  const cpp = bench.compile({ compiler: 'clang-19', kind: 'entry', flags: ['-O2'] }, 'chains.cpp');
  it.each([
    ['libc', libc, 10_000],
    ['a C++ program with the runtime', cpp, 100],
  ])('%s', (_, file, fewest) => {
    const rows = golden(file);
    expect(rows.length).toBeGreaterThan(fewest);
    const table = FrameTable.read(ElfFile.open(namedBytes(file, readFileSync(file))));
    expect(rows.map((row) => own(table, row))).toEqual(rows);
  });
});
