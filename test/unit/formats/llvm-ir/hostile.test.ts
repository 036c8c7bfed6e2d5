import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LlvmIrReader } from '../../../../src/formats/llvm-ir/parse';
import { parseLlvmIr } from './parseText';
import { randomFrom } from '../cube4/mutations';

const define = (debug: number, name = 'f'): string => `define void @_Z${name}() !dbg !${debug} {\n}\n`;
const prettyName = (text: string): string | undefined => parseLlvmIr(text).functions[0]?.prettyName;

describe('types that contain themselves', () => {
  const subprogram = '!1 = distinct !DISubprogram(name: "f", type: !2)\n!2 = !DISubroutineType(types: !3)\n';

  test('a pointer to itself', () => {
    const text = `${define(1)}${subprogram}!3 = !{null, !4}\n!4 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4)\n`;
    expect(prettyName(text)).toBe(`f(void${'*'.repeat(30)})`);
  });

  test('a function that takes pointers to pointers to itself, twice', () => {
    const text =
      `${define(1)}${subprogram}!3 = !{null, !4}\n!4 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5)\n` +
      '!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6)\n!6 = !DISubroutineType(types: !7)\n!7 = !{!4, !4, !4}\n';
    expect(prettyName(text)).toBe('f(void** (**)(void**, void**))');
  });

  test('a function that takes itself', () => {
    const text = `${define(1)}${subprogram}!3 = !{null, !2}\n`;
    expect(prettyName(text)).toBe('f(void ()(void*))');
  });

  test('a scope in itself', () => {
    const text = `${define(1)}!1 = distinct !DISubprogram(name: "f", scope: !2)\n!2 = !DINamespace(name: "n", scope: !2)\n`;
    expect(prettyName(text)).toBe(`${'n::'.repeat(30)}f()`);
  });
});

// Each takes minutes or the machine's memory where something is looked through again and again.
describe('long texts', () => {
  const many = 20_000;
  const times = (one: string, count = many): string => one.repeat(count);

  test.each<[string, string]>([
    [
      'a list of types that many functions have',
      `${Array.from({ length: many }, (_, i) => define(i + 10, `f${i}`)).join('')}${Array.from({ length: many }, (_, i) => `!${i + 10} = distinct !DISubprogram(name: "f", type: !2)`).join('\n')}\n!2 = !DISubroutineType(types: !3)\n!3 = !{${times('!4, ', 100_000)}!4}\n!4 = !DIBasicType(name: "int")\n`,
    ],
    [
      'a field of one long word',
      `${define(1)}!1 = distinct !DISubprogram(name: "f" ${times('a', 1_000_000)})\n`,
    ],
    [
      'a scope with a very long name',
      `${Array.from({ length: 2000 }, (_, i) => define(i + 10, `f${i}`)).join('')}${Array.from({ length: 2000 }, (_, i) => `!${i + 10} = distinct !DISubprogram(name: "f", scope: !2)`).join('\n')}\n!2 = !DINamespace(name: "${times('n', 1_000_000)}", scope: !2)\n`,
    ],
    ['assembler without an end', `define void @f() {\n  call void asm${times(' asm a', 200_000)}\n}\n`],
    [
      'a table of an expression without an end',
      `@_ZTV1A = constant { [1 x ptr] } { [1 x ptr] [ptr a (${times('x', 300_000)}] }\n`,
    ],
    [
      'many uses of an alias of many',
      `@a = alias void (), ptr ${times('@b ', 100_000)}\ndefine void @f() {\n${Array.from({ length: many }, (_, i) => `  store ptr @a, ptr %${i}`).join('\n')}\n}\n`,
    ],
    [
      'many functions of many outlined regions',
      `${Array.from({ length: many }, (_, i) => `define void @.omp_outlined.${i}() {\n  call void @.omp_outlined.${i + 1}()\n}\n`).join('')}${Array.from({ length: 1000 }, (_, i) => `define void @f${i}() {\n  call void @.omp_outlined.0()\n}\n`).join('')}`,
    ],
  ])('%s', (_, text) => {
    expect(parseLlvmIr(text).functions.length).toBeLessThanOrEqual(text.length);
  });

  test('one line in many pieces', () => {
    const reader = new LlvmIrReader();
    for (let i = 0; i < 200_000; i++) reader.add('@x, ');
    expect(reader.finish().functions).toEqual([]);
  });
});

test('changed IR never fails', () => {
  const sources = ['classes.ll', 'openmp.ll'].map((name) =>
    readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/llvm-ir', name), 'latin1').split('\n'),
  );
  for (let seed = 0; seed < 300; seed++) {
    const random = randomFrom(seed);
    const lines = [...(sources[random(2)] ?? [])];
    for (let changes = 1 + random(30); changes > 0; changes--) {
      const at = random(lines.length);
      const line = lines[at] ?? '';
      // References go to other nodes, lines come twice, are cut, or stand elsewhere.
      lines[at] =
        [
          () => line.replace(/!\d+/g, () => `!${random(400)}`),
          () => line.slice(0, random(line.length)),
          () => `${line}${lines[random(lines.length)] ?? ''}`,
          () => line.replace(/[@%"!({[]/, () => '@%"!({[)}]\\'.charAt(random(11))),
        ][random(4)]?.() ?? '';
    }
    expect(() => parseLlvmIr(lines.join('\n'))).not.toThrow();
  }
});
