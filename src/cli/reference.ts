import { createProgram } from './program';
import { commandReference } from './terminal/reference/commandReference';

/** The page of the documentation with all commands, in Markdown. `npm run site` makes it. */
export function commandPage(): string {
  return commandReference(createProgram({ out: () => undefined, error: () => undefined }));
}
