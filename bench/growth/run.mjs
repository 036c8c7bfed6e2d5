// node bench/growth/run.mjs
// How the time of analyses grows with the length of a text or the size of a graph: CPU time of twice the input as a ratio to the time of the
// input. Bar: 3 (2 is in proportion, 4 is quadratic) for texts. Sums over call graphs are quadratic by their nature, with a small factor: bar 5.
import { median } from '../lib/statistics.mjs';
import { cpuMilliseconds, load } from '../lib/bundle.mjs';

const {
  insertProbes,
  extractUserText,
  withoutHeaderPrototypes,
  inclusiveStatements,
  foldTemplates,
  parseDiagnostics,
  mergeUnits,
} = await load(
  'src/core/probes/probeInsertion.ts',
  'src/core/source/syntax/userText.ts',
  'src/core/source/declarations/prototypes.ts',
  'src/core/callgraph/inclusiveStatements.ts',
  'src/core/names/foldTemplates.ts',
  'src/measurement/build/diagnostics.ts',
  'src/core/callgraph/merge/mergeUnits.ts',
);

function growth(name, bar, size, prepare) {
  const times = [size, 2 * size].map((count) => {
    const work = prepare(count);
    work();
    return median(Array.from({ length: 3 }, () => cpuMilliseconds(work)));
  });
  const ratio = times[1] / times[0];
  console.log(
    `  ${ratio.toFixed(1).padStart(4)} (bar ${bar})  ${name}: ${times.map((ms) => ms.toFixed(1)).join(' and ')} CPU ms`,
  );
}

console.log('time of twice the input / time of the input');
growth('probes in functions of three lines', 3, 10_000, (count) => {
  const body = 'void f(void) {\n  x++;\n}\n';
  const text = `# 1 "a.c"\n${body.repeat(count)}`;
  const points = Array.from({ length: count }, (_, functionNumber) => {
    const definitionOffset = 10 + functionNumber * body.length;
    return { functionNumber, definitionOffset, bodyOffset: definitionOffset + 14, scope: 'c' };
  });
  return () => insertProbes(text, points, '0123456789abcdef', { architecture: 'x86-64', asmInline: true });
});

const hostileHeaders = {
  words: (count) => 'a '.repeat(count),
  stars: (count) => `a ${'*'.repeat(count)}`,
  parentheses: (count) => `int f${'('.repeat(count)}`,
  attributes: (count) => 'a __attribute__((x)) '.repeat(count),
  comments: (count) => `{ ${'/* '.repeat(count)}`,
  quotes: (count) => `'\\"`.repeat(count),
  semicolons: (count) => ';'.repeat(count),
};
for (const [name, header] of Object.entries(hostileHeaders))
  growth(`prototypes in a header of ${name}`, 3, 50_000, (count) => {
    const text = `# 1 "/w/a.c"\n# 1 "/w/a.h" 1\n${header(count)}\n# 2 "/w/a.c" 2\nint main(void) { return 0; }\n`;
    const user = extractUserText(text, '/w/a.c');
    return () => withoutHeaderPrototypes(user);
  });

growth('inclusive statements of a random call graph', 5, 10_000, (count) => {
  let state = 99;
  const below = (limit) => (state = (state * 48271) % 2147483647) % limit;
  const functions = Array.from({ length: count }, () => ({ statements: below(30) }));
  const edges = functions.map((_, caller) => {
    const far = () => Math.min(count - 1, caller + 1 + below(below(2) === 0 ? 50 : count));
    return [...new Set(Array.from({ length: 4 }, far))].map((callee) => ({ callee, kind: 'direct' }));
  });
  return () => inclusiveStatements({ functions, edges });
});

growth('names of templates that are not closed', 3, 200_000, (count) => {
  const name = `f${'<g'.repeat(count)}`;
  return () => foldTemplates(name);
});
growth('names of operators', 3, 50_000, (count) => {
  const name = `f${'operator<'.repeat(count)}`;
  return () => foldTemplates(name);
});
growth('messages of a compiler', 3, 50_000, (count) => {
  const output = `${'a:'.repeat(count)}\n${'1'.repeat(2 * count)}:\n${' '.repeat(2 * count)}`;
  return () => parseDiagnostics(output);
});
growth('call graph of functions that call each other in a row', 3, 20_000, (count) => {
  const functions = Array.from({ length: count }, (_, number) => ({
    name: `f${number}`,
    qualifiedName: `f${number}`,
    file: '/w/big.c',
    line: number + 1,
    column: 1,
    endLine: number + 1,
    hasBody: true,
    parameters: { minimum: 0, maximum: 0 },
    signature: '',
    statements: 1,
    loops: 0,
    loopDepth: 0,
    conditionalBranches: 0,
    isStatic: false,
    isInline: false,
    isTemplate: false,
    isVirtual: false,
    calls: [{ name: `f${(number + 1) % count}`, form: 'plain', arguments: 0, line: 1, loopDepth: 0 }],
    addressTaken: [],
    probe: false,
  }));
  const unit = { kymoUnit: 1, hash: '0', source: '/w/big.c', language: 'c', functions, classes: [] };
  return () => mergeUnits([{ ...unit, addressTaken: [], parsed: true }]);
});
