import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { readRules } from '../../../../src/workflows/dynamics/rulesFile';

const file = '/w/kymo.rules.json';
const rule = {
  id: 'ipc-drop',
  level: 'static',
  title: 'Time lost to few instructions per cycle',
  kind: 'hot-spot',
  regions: ['function', 'loop'],
  names: 'solve*',
  let: { ipc: 'sum(instructions) / sum(cycles)' },
  condition: 'ipc < 1 && sum(time) / phaseTime > reportThreshold',
  severity: 'sum(time) * (1 - ipc) / phaseTime',
};
const text = (rules: readonly unknown[]): string => JSON.stringify({ kymoRules: 1, rules }, undefined, 2);

function faultOf(given: string): KymoError {
  try {
    readRules(given, file);
  } catch (error) {
    if (error instanceof KymoError) return error as KymoError;
    throw error;
  }
  throw new Error('the file was taken');
}

describe('rules file', () => {
  it('adds rules to the catalogue; they lead to the dynamic ones', () => {
    const rules = readRules(`// with comments\n${text([rule])}`, file);
    expect(rules).toHaveLength(catalogue.length + 1);
    const own = rules.at(-1);
    expect(own?.definition).toEqual({ ...rule, next: ['significant-variability'] });
  });

  it('a rule with the id of one of the catalogue takes its place', () => {
    const mine = { ...rule, id: 'hot-spot' };
    const rules = readRules(text([mine]), file);
    expect(rules).toHaveLength(catalogue.length);
    expect(rules.find(({ definition }) => definition.id === 'hot-spot')?.definition.title).toBe(rule.title);
  });

  it('a mistake in an expression is shown at its character', () => {
    const fault = faultOf(
      `{"kymoRules": 1, "rules": [\n{"id": "a", "level": "static", "title": "A", "severity": "1",\n "condition": "sum(time) > thresold"}]}`,
    );
    expect(fault.reason).toBe('config-invalid');
    expect(fault.where).toEqual({ file, line: 3, column: 16 + 12 });
    expect(fault.message).toContain("there is no 'thresold'");
  });

  it.each([
    ['[]', 'must be an object'],
    ['{"rules": []}', 'needs the key "kymoRules"'],
    ['{"kymoRules": 2, "rules": []}', 'must be 1'],
    ['{"kymoRules": 1, "rules": [1]}', 'must be an object'],
    [text([{ ...rule, level: 'global' }]), '"static" or "dynamic"'],
    [text([{ ...rule, severty: '1' }]), 'did you mean "severity"'],
    [text([{ ...rule, kind: 'late-rank' }]), '"kind" must be'],
    [text([{ ...rule, regions: ['phase'] }]), 'no kind of regions "phase"'],
    [text([{ ...rule, next: ['nothing'] }]), "no rule 'nothing'"],
    [text([rule, rule]), 'two rules of this name'],
    [text([{ ...rule, let: { ipc: 'sum(' } }]), 'name of a metric'],
    [text([{ ...rule, severity: undefined }]), 'needs the key "severity"'],
    ['{"kymoRules": 1, "rules": [', 'not valid JSON'],
  ])('%s is refused, and the message says why', (given, message) => {
    const fault = faultOf(given);
    expect(fault.message).toContain(message);
    expect(fault.message.startsWith(`${file}:`)).toBe(true);
  });
});
