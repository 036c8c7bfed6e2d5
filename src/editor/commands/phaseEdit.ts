import { findNodeAtLocation, modify, parseTree, type Edit } from 'jsonc-parser';

/**
 * Edits of `kymo.json` that make a function the phase of a target; everything else of the text stays, comments too. Undefined when the
 * text has no such target.
 */
export function phaseEdits(text: string, target: string, phase: string): readonly Edit[] | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const targets = root === undefined ? undefined : findNodeAtLocation(root, ['targets']);
  const index = (targets?.children ?? []).findIndex(
    (one) => findNodeAtLocation(one, ['name'])?.value === target,
  );
  if (index < 0) return undefined;
  const indentation = /\n( +|\t)/.exec(text)?.[1] ?? '  ';
  return modify(text, ['targets', index, 'phase'], phase, {
    formattingOptions: {
      insertSpaces: !indentation.startsWith('\t'),
      tabSize: indentation.startsWith('\t') ? 1 : indentation.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  });
}
