import { describe, expect, it } from 'vitest';
import { documentTexts, manifestTexts, sourceTexts, textsOf, type ShownText } from '../wording';

/** Sentences that only their author understood, as they were (the design's list of words). They shall not come back. */
const formerTexts = [
  'places that cost nothing until they are used',
  'Every function that is in or out has a reason',
  'the proof of what the places cost',
  'whose recording falsifies them',
  'whose visits are the time steps',
  'closed nodes count with what is below them',
  'as parts of what is chosen',
  'Sources are found where they are now',
  'as far as tests under emulation tell',
  'What an exception leaves is found out',
  'command line and environment that come of it',
  'the arguments of the run above all',
  'Each configuration is run so often',
  'tells what gets worse',
  'run the command by hand to see everything',
  'at most so many iterations',
  'so many iterations more',
  'do not go on with a refinement that was stopped',
  'how it is decided what to record',
  'runs with what a filter includes',
  'rules that do not do what they seem to',
  'Not here, the tests that need them',
  'Where it is shown what is known of a function',
  'gained by mending it',
  'inlined everywhere, or built without Kymo',
];

/** Their kinds, with what to write instead. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bso (many|often) (iterations|runs|times|functions|visits|of them)\b|\bso many less\b/i, 'a number'],
  [/\(so often\)|\bis run so often\b/i, 'a number of times'],
  [/\bno site\b/i, 'no patch point'],
  [/\b(tells?|told) (what|of|how|which|blocked)\b/i, 'show, report, print'],
  [/\bcannot be told (apart|from (computation|threads))/i, 'distinguish'],
  [/\bwhat it said\b|\bsays? (so|otherwise|of)\b|\bsay where\b|\bsays what\b/i, 'print, report, name'],
  [
    /\bwhat (was|is) (known|wanted|below|between|above|folded|named|touched|true|stable|chosen|expected of)\b/i,
    'the noun',
  ],
  [/\bwhat (becomes?|became|comes) of\b/i, 'the result'],
  [/\bnobody else\b/i, 'no other user'],
  [/\bof which (each|a growth|nothing|recording|the profile)\b/i, 'a clause of its own'],
  [/\b(are|is) kept\b(?! (in|as|for|with|below|beside|over|and|when|until|at|on)\b)/i, 'stored'],
];

const texts: Readonly<Record<string, () => readonly ShownText[]>> = {
  'commands, views and messages': sourceTexts,
  'package.json and schemas': manifestTexts,
  documents: documentTexts,
};

function faults(shown: readonly ShownText[]): readonly string[] {
  return shown.flatMap(({ where, text }) => [
    ...formerTexts
      .filter((former) => text.toLowerCase().includes(former.toLowerCase()))
      .map((former) => `${where}: “${former}”`),
    ...kinds.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${where}: “${found}” (write: ${instead}): ${text.slice(0, 160)}`];
    }),
  ]);
}

describe('wording', () => {
  it.each(Object.entries(texts))('of %s has no sentence that only its author understands', (_, shown) => {
    const all = shown();
    expect(all.length).toBeGreaterThan(200);
    expect(faults(all)).toEqual([]);
  });
  it('is judged in literals and in templates', () => {
    const source =
      'const a = "Please mend that file"; const b = `${a} is run so often, at most so many iterations`;';
    expect(faults(textsOf('a.ts', source)).length).toBeGreaterThan(2);
    expect(faults(textsOf('a.ts', '// mend so many iterations\nconst a = "two words";'))).toEqual([]);
  });
});
