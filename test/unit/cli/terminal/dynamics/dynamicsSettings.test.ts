import { describe, expect, it } from 'vitest';
import { settingNames, settingsOf } from '../../../../../src/cli/terminal/dynamics/dynamicsSettings';
import { defaultSignalOptions } from '../../../../../src/core/signal/signal';

describe('settings of kymo dynamics', () => {
  it('are those of the rules and those of signals, the latter with the defaults of the others', () => {
    expect(settingsOf(['missing=linear', 'thresholdEnergy = 0.02', 'summaryLevel=slice'])).toEqual({
      missing: 'linear',
      thresholdEnergy: 0.02,
      signal: { ...defaultSignalOptions, summaryLevel: 'slice' },
    });
    expect(settingsOf([])).toEqual({});
    expect(settingsOf(['wholeRun=0', 'wholeRun=1024'])).toEqual({ wholeRun: 1024 });
  });

  it('have every literal variant of the source', () => {
    for (const level of ['stability-cut', 'depth', 'depth-carried', 'slice'])
      expect(settingsOf([`summaryLevel=${level}`]).signal?.summaryLevel).toBe(level);
  });

  it.each([
    ['thresholdTime', '--set thresholdTime is a number from 0 to 1, not “”.'],
    ['thresholdTime=', 'not “”'],
    ['thresholdTime=2', 'from 0 to 1, not “2”'],
    ['thresholdTime=NaN', 'not “NaN”'],
    ['stepsPerOctave=2.5', 'a whole number from 1 to 32'],
    ['missing=maybe', 'one of zero, constant, linear, not “maybe”'],
    ['constructor=1', 'knows no “constructor”. There are: falseAlarm=0.01, overheadThreshold=0.05'],
    ['', 'knows no “”'],
  ])('“%s” is refused: %s', (text, message) => {
    expect(() => settingsOf([text])).toThrow(message);
  });

  it('are listed with their defaults', () => {
    expect(settingNames()).toContain('missing=zero');
    expect(settingNames()).toContain('summaryLevel=stability-cut');
  });
});
