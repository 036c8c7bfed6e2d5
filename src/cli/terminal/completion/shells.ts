import { optionsWithValue, type Offer, type Offers } from './completions';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script that a shell reads to complete `kymo`. */
export function completionScript(shell: Shell, all: readonly Offers[]): string {
  switch (shell) {
    case 'bash':
      return bash(all);
    case 'zsh':
      return zsh(all);
    case 'fish':
      return fish(all);
  }
}

/** Text in single quotes for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function words(offers: readonly Offer[]): string {
  return offers.map(({ word }) => word).join(' ');
}

/** The `case` patterns of the words that go one command deeper. */
function steps(all: readonly Offers[]): string {
  return all
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path.includes(' ') ? path : ` ${path}`))
    .join('|');
}

/** Branches for options that take a value: their words, or names of files where they have none. */
function valueBranches(
  all: readonly Offers[],
  offer: (words: readonly string[]) => string,
): readonly string[] {
  return all.flatMap(({ path, values }) =>
    values.map(({ options, words: known }) => {
      const patterns = options.map((name) => quoted(`${path}:${name}`)).join('|');
      return `    ${patterns}) ${offer(known)}return ;;`;
    }),
  );
}

interface Words {
  /** The variable with the words of the line, the number of the first one, and that of the one at the cursor. */
  readonly typed: string;
  readonly first: string;
  readonly cursor: string;
  /** Shell that offers names of files. */
  readonly files: string;
}

/** Shell that puts the command before the cursor into `at`. Behind `--` are the words of a program. */
function commandBefore(all: readonly Offers[], { typed, first, cursor, files }: Words): string {
  return `  for ((index = ${first}; index < ${cursor}; index++)); do
    word="\${${typed}[index]}"
    case "$word" in
      --) ${files}return ;;
      ${optionsWithValue(all).join('|')}) ((index++)); continue ;;
    esac
    case "$at $word" in
      ${steps(all)}) at="\${at:+$at }$word" ;;
    esac
  done`;
}

function bash(all: readonly Offers[]): string {
  return `# Completion of kymo for bash. Made by: kymo completion bash
_kymo() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local at='' word='' index commands='' options=''
  COMPREPLY=()
${commandBefore(all, { typed: 'COMP_WORDS', first: '1', cursor: 'COMP_CWORD', files: '' })}
  case "$at:$prev" in
${valueBranches(all, (known) => (known.length === 0 ? '' : `COMPREPLY=($(compgen -W ${quoted(known.join(' '))} -- "$cur")); `)).join('\n')}
  esac
  case "$at" in
${all.map(({ path, commands, options }) => `    ${quoted(path)}) commands=${quoted(words(commands))}; options=${quoted(words(options))} ;;`).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  fi
}
complete -o default -F _kymo kymo
`;
}

/** `'refine:builds once'` for `_describe`. */
function described(offers: readonly Offer[]): string {
  return offers.map(({ word, means }) => quoted(`${word.replaceAll(':', '\\:')}:${means}`)).join(' ');
}

/** `path` is what zsh calls the list of folders of programs, so the command's path has another name. */
function zsh(all: readonly Offers[]): string {
  return `#compdef kymo
# Completion of kymo for zsh. Made by: kymo completion zsh
_kymo() {
  local at='' word index
  local -a subcommands switches
${commandBefore(all, { typed: 'words', first: '2', cursor: 'CURRENT', files: '_files; ' })}
  case "$at:\${words[CURRENT - 1]}" in
${valueBranches(all, (known) => (known.length === 0 ? '_files; ' : `compadd -- ${known.map(quoted).join(' ')}; `)).join('\n')}
  esac
  case "$at" in
${all.map(({ path, commands, options }) => `    ${quoted(path)}) subcommands=(${described(commands)}); switches=(${described(options)}) ;;`).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe 'option' switches
  elif ((\${#subcommands})); then
    _describe 'command' subcommands
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _kymo ]]; then _kymo "$@"; else compdef _kymo kymo; fi
`;
}

/** In single quotes of fish, a backslash is special, too. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function fish(all: readonly Offers[]): string {
  const lines = all.flatMap(({ path, commands, options, values }) => {
    const here = `complete -c kymo -n ${fishQuoted(`__kymo_at "${path}"`)}`;
    return [
      ...commands.map(({ word, means }) => `${here} -f -a ${word} -d ${fishQuoted(means)}`),
      ...options.map(({ word, means }) => {
        const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
        const taken = values.find((value) => value.options.includes(word));
        const value =
          taken === undefined
            ? ''
            : taken.words.length === 0
              ? ' -r -F'
              : ` -x -a ${fishQuoted(taken.words.join(' '))}`;
        return `${here} ${name}${value} -d ${fishQuoted(means)}`;
      }),
    ];
  });
  return `# Completion of kymo for fish. Made by: kymo completion fish
function __kymo_at
  set -l at ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch "$word"
      case '--'
        return 1
      case ${optionsWithValue(all).map(fishQuoted).join(' ')}
        set skip 1
        continue
    end
    switch "$at $word"
      case ${all
        .filter(({ path }) => path !== '')
        .map(({ path }) => fishQuoted(path.includes(' ') ? path : ` ${path}`))
        .join(' ')}
        set at (string trim -- "$at $word")
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
