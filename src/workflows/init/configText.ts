import { oneLine, type Drafts, type TargetDraft } from './asking/draft';

/** The text of a first `kymo.json`, with comments on the settings that users most often change. */
export function configText({ targets, notes }: Drafts): string {
  const guessed = notes.map((note) => `  // – ${oneLine(note)}\n`).join('');
  return `{
  // What Kymo builds, runs and refines. Editors with the Kymo extension explain every key.
${guessed === '' ? '' : `  // What kymo init found:\n${guessed}`}  "version": 1,
  "targets": [
${targets.map(targetText).join(',\n')}
  ]
}
`;
}

function targetText(target: TargetDraft, index: number): string {
  const { name, build, executable } = target;
  const first = index === 0;
  const hint = (text: string): readonly string[] => (first ? [`// ${text}`] : []);
  const lines = [
    `"name": ${json(name)},`,
    ...hint(
      '${cc}, ${cxx} and ${fc} are the measuring compilers of C, C++ and Fortran: pass them where the build takes its compilers.',
    ),
    ...hint('Options for optimisation stay as they are; -g gives the measurements their lines.'),
    `"build": ${json({ command: build.command, clean: build.clean, cwd: build.cwd })},`,
    ...hint('The program that the build makes, relative to this file.'),
    `"executable": ${json(executable)},`,
    ...hint(
      'How it is run. Choose an input that takes a few seconds; ${name} stands for a value of "parameters".',
    ),
    `"run": ${json({ arguments: target.arguments ?? [], cwd: target.runFolder ?? '.', timeoutSeconds: 600, launcher: launcher(target) })},`,
    ...hint('For scaling studies, such as {"size": [100, 200, 400, 800, 1600]} with the argument "${size}".'),
    `"parameters": ${json(target.parameters ?? {})},`,
    ...(target.study === undefined ? [] : [`"study": ${json(target.study)},`]),
    ...hint('Runs per configuration; Kymo compares their medians.'),
    `"repetitions": 3,`,
    ...hint(
      '"phase": "step",   the function called once per time step; “kymo dynamics” reports slowdowns across iterations.',
    ),
    ...hint('Refinement ends at the overhead in percent, after the iterations, or when the time is used up.'),
    `"refinement": ${json({ overheadPercent: 5, maximumIterations: 5, budgetSeconds: 600 })}`,
  ];
  return ['    {', ...lines.map((line) => `      ${line}`), '    }'].join('\n');
}

function launcher({ launcher: drafted }: TargetDraft): object {
  if (drafted === undefined) return { kind: 'local' };
  const { kind, ranks, arguments: options } = drafted;
  return { kind, ranks: ranks.length === 1 ? ranks[0] : ranks, arguments: options };
}

/** JSON on one line, with blanks after colons and commas. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? '{}'
    : `{ ${members.map(([key, member]) => `${json(key)}: ${json(member)}`).join(', ')} }`;
}
