import { describe, expect, test } from 'vitest';
import { hoverText, shortName } from '../../../../../src/editor/words/functions/hoverText';
import type { RoundDecision } from '../../../../../src/workflows/studies/rounds';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

const sweep: FunctionRow = {
  key: '_Z5sweepv',
  name: 'sweep()',
  file: '/w/a.cpp',
  line: 12,
  selected: true,
  hasSite: true,
  decision: { clause: '31.0 % of the run time is spent in it', details: '' },
  visits: 1_200_000,
  inclusiveShare: 0.31,
  overheadPercent: 14,
};
const textOf = (
  functions: readonly FunctionRow[],
  rest: Partial<Parameters<typeof hoverText>[0]> & { readonly stale?: boolean } = {},
): string =>
  hoverText({
    group: { line: 12, endLine: 20, measuredLine: 12, stale: rest.stale ?? false, functions },
    table: functions,
    pinned: new Map(),
    history: [],
    links: [],
    ...rest,
  });
const decided = (iteration: number, selected: boolean, clause: string): RoundDecision => ({
  iteration,
  selected,
  rule: selected ? 'hot-spot' : 'too-small',
  clause,
  details: '',
});

describe('the hover', () => {
  test('has name, decision with its reason, and the numbers', () => {
    const text = textOf([sweep]);
    expect(text).toContain('Instrumented: 31\\.0 % of the run time is spent in it');
    expect(text).toContain('- **31 %** of the run time, with everything it calls');
    expect(text).toContain('- **1,200,000** visits');
    expect(text).toContain('- **14 %** of the run time\\: what measuring it costs');
  });

  test('says what a file was called that was moved since the run', () => {
    expect(textOf([sweep], { measuredAs: 'old/<b>.cpp' })).toContain('_Measured as old/&lt;b&gt;\\.cpp._');
    expect(textOf([sweep])).not.toContain('Measured as');
  });

  test('shows a hostile name as it is: no markup, no link, no command', () => {
    const name = '<img src=x onerror=alert(1)>`[run](command:workbench.action.terminal.new)$(flame)\n# big';
    const text = textOf([{ ...sweep, name }]);
    expect(text).not.toMatch(/<img|(?<!\\)\]\(|(?<!\\)\$\(flame|\n#/);
  });

  test('a name of 10 kB is cut', () =>
    expect(textOf([{ ...sweep, name: 'x'.repeat(10_000) }]).length).toBeLessThan(1000));

  test('what is decided is by round, and alike decisions are one line', () => {
    const history = [
      decided(0, false, '3 statements'),
      decided(1, true, '30 % of the run time'),
      decided(2, true, '31 % of the run time'),
    ];
    const text = textOf([sweep], { history });
    expect(text).toContain('- $(circle-slash) Round 0: 3 statements');
    expect(text).toContain('- $(pass) Rounds 1 to 2: 30 % of the run time');
    expect(textOf([sweep], { history: history.slice(0, 1) })).not.toContain('Round 0');
  });

  test('says that the function changed, and what a pin means', () => {
    const text = textOf([sweep], { stale: true, pinned: new Map([[sweep.key, 'out']]) });
    expect(text).toContain('Changed since the run');
    expect(text).toContain('Pinned out: it will be left out from the next round on.');
  });

  test('links carry their arguments so that nothing ends the link', () => {
    const links = [
      {
        title: 'Exclude',
        command: 'kymo.pinOut',
        arguments: [{ key: ['f(int) [clone]'], folder: 'file:///w' }],
      },
    ];
    const [, command, query] =
      /\[Exclude\]\(command:([\w.]+)\?([^()\s]+)\)$/m.exec(textOf([sweep], { links })) ?? [];
    expect(command).toBe('kymo.pinOut');
    expect(JSON.parse(decodeURIComponent(query ?? ''))).toEqual(links[0]?.arguments);
  });

  test('of many instances only some are told', () => {
    const text = textOf(Array.from({ length: 40 }, (_, at) => ({ ...sweep, key: `f${at}` })));
    expect(text).toContain('… and 37 more instances at this line');
  });
});

test.each([
  ['sweep', 'sweep'],
  ['ns::Grid<double, std::allocator<int> >::step(int, char const*) const', 'step'],
  ['std::vector<int> ns::make<int>(unsigned long)', 'make'],
  ['(anonymous namespace)::smooth(std::vector<double> const&)', 'smooth'],
  ['Grid::~Grid()', '~Grid'],
  ['__solver_MOD_relax', '__solver_MOD_relax'],
  ['solver::relax', 'relax'],
  ['Grid::operator()(int)', 'operator'],
  ['', ''],
])('the short name of %s', (name, short) =>
  expect(shortName(name).replace('~', '')).toBe(short.replace('~', '')),
);
