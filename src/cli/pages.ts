import { completions } from './terminal/completion/completions';
import { completionScript, type Shell } from './terminal/completion/shells';
import { manPages } from './terminal/man/manPages';
import { createProgram } from './program';

/** Names under which shells find completions in their folders. */
const scripts: Readonly<Record<Shell, string>> = { bash: 'kymo.bash', zsh: '_kymo', fish: 'kymo.fish' };

/** Manual pages and completions of the command line: the text of each file below `dist`. The build writes them. */
export function pages(): Readonly<Record<string, string>> {
  const program = createProgram({ out: () => undefined, error: () => undefined });
  const offers = completions(program);
  return Object.fromEntries([
    ...manPages(program).map(({ file, text }) => [`man/${file}`, text]),
    ...Object.entries(scripts).map(([shell, file]) => [
      `completions/${file}`,
      completionScript(shell as Shell, offers),
    ]),
  ]) as Readonly<Record<string, string>>;
}
