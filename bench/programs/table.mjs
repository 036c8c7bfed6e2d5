// What is printed: a paragraph for each program, and the table of docs/benchmarks.md.
const percent = (value) => (value === undefined ? '–' : value.toFixed(1));
const share = (value) => (value === undefined ? '     –' : `${(100 * value).toFixed(1).padStart(4)} %`);

export function describe(result) {
  if (result.failure !== undefined) return `${result.name}: FAILED: ${result.failure.slice(0, 1500)}`;
  const lines = [
    `${result.name}: ${costs(result)}predicted ${percent(result.predictedPercent)} %; ${result.instrumented} functions, ${result.iterations.length} iterations (${result.stopReason})`,
    ...differentNotes(result.notes).map((note) => `  note: ${note}`),
    ...result.contradictions.map((sentence) => `  CONTRADICTION: ${sentence}`),
    ...(result.cutShare > 0.02 ? [`  ${share(result.cutShare).trim()} of perf's stacks are cut off`] : []),
    ...(result.functions ?? []).map(
      ({ name, perf, kymo, state, why }) =>
        `  ${share(perf)} ${share(kymo)}  ${state.padEnd(9)} ${name}${why === undefined ? '' : ` (${why.slice(0, 120)})`}`,
    ),
    ...(result.loaded === undefined
      ? []
      : [
          `  under load: ${result.loaded.onlyOnce.length === 0 ? 'the same functions' : `only in one of both: ${result.loaded.onlyOnce.join(', ')}`}; ` +
            `${result.loaded.apart.length === 0 ? 'shares within 5 points' : result.loaded.apart.join(', ')}` +
            (result.loaded.toldOnce.length === 0
              ? ''
              : `; share told only once: ${result.loaded.toldOnce.join(', ')}`),
        ]),
  ];
  return lines.join('\n');
}

/** Nothing with `--shares-only`. */
function costs({ vanillaSeconds, offPercent, finalPercent }) {
  if (vanillaSeconds === undefined) return '';
  const cost = ({ median, interval }) => `${percent(median)} % (${interval.map(percent).join(' … ')})`;
  return `vanilla ${vanillaSeconds.toFixed(2)} s, off ${cost(offPercent)}, final ${cost(finalPercent)}, `;
}

/** Without those that differ in their numbers only, as each iteration may add one. */
function differentNotes(notes) {
  return [...new Map(notes.map((note) => [note.replace(/[\d.]+/g, ''), note])).values()];
}

/** In Markdown, as docs/benchmarks.md shows it. */
export function tableOf(results) {
  const rows = results.map((result) => [result.name, result.kind, ...cells(result)]);
  const head = [
    'program',
    'kind',
    '`init`',
    'vanilla, CPU s',
    'off, %',
    'final, %',
    'predicted, %',
    'contradictions',
    'as `perf`',
    'explained',
    'not',
  ];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cells(result) {
  if (result.failure !== undefined)
    return [`failed: ${result.failure.split('\n')[0].slice(0, 100)}`, ...Array(8).fill('')];
  const inState = (...states) => (result.functions ?? []).filter(({ state }) => states.includes(state));
  return [
    result.edit ?? 'as found',
    result.vanillaSeconds?.toFixed(2) ?? '–',
    percent(result.offPercent?.median),
    percent(result.finalPercent?.median),
    percent(result.predictedPercent),
    result.contradictions.length,
    `${inState('agrees').length} of ${result.functions?.length ?? 0}`,
    inState('explained').length,
    inState('differs', 'missing')
      .map(({ name }) => name)
      .join(', '),
  ];
}
