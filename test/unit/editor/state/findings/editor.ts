/** As much of `vscode` as the surfaces of findings need: one folder with one open document. */
interface Subscription {
  dispose(): void;
}
const nothing: Subscription = { dispose: () => undefined };
const text = '#include <math.h>\n\nvoid sweep(double *a) {\n  relax(a);\n}\n';
const lines = text.split('\n');

export class EventEmitter<T> {
  private readonly listeners: ((value: T) => void)[] = [];
  readonly event = (listener: (value: T) => void): Subscription => {
    this.listeners.push(listener);
    return nothing;
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(line: number, first: number, lastLine: number, last: number) {
    this.start = new Position(line, first);
    this.end = new Position(lastLine, last);
  }
}
export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: unknown,
  ) {}
}
export class Hover {
  constructor(readonly contents: readonly unknown[]) {}
}
export class MarkdownString {
  isTrusted: unknown;
  constructor(readonly value: string) {}
}
export class Diagnostic {
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}
export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}
export class ThemeIcon {
  constructor(readonly id: string) {}
}
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

const uriOf = (fsPath: string): object => ({
  scheme: 'file',
  fsPath,
  toString: () => `file://${fsPath}`,
});
export const Uri = { file: uriOf };

const never = (): Subscription => nothing;
const folder = { name: 'w', uri: uriOf('/w'), index: 0 };
const problems = new Map<string, readonly Diagnostic[]>();
const document = {
  uri: uriOf('/w/sweep.c'),
  version: 1,
  lineCount: lines.length,
  getText: () => text,
  lineAt: (line: number) => ({ text: lines[line] ?? '' }),
};
export const editor = { never, folder, document, problems, contexts: () => contexts };

interface Named {
  readonly fsPath: string;
}
export const languages = {
  registerCodeLensProvider: never,
  registerHoverProvider: never,
  createDiagnosticCollection: () => ({
    clear: () => problems.clear(),
    forEach: () => undefined,
    dispose: () => undefined,
    set: (
      first: Named | readonly [Named, readonly Diagnostic[]][],
      own: readonly Diagnostic[] = [],
    ): void => {
      const all = Array.isArray(first) ? (first as readonly [Named, readonly Diagnostic[]][]) : undefined;
      for (const [file, found] of all ?? [[first as Named, own] as const]) problems.set(file.fsPath, found);
    },
  }),
};
export const extensions = { getExtension: () => undefined };
const contexts = new Map<string, unknown>();
export const commands = {
  executeCommand: (command: string, key: string, value: unknown) => {
    if (command === 'setContext') contexts.set(key, value);
    return Promise.resolve();
  },
};
export const window = {
  createTreeView: () => ({ visible: true, dispose: () => undefined }),
};
export const workspace = {
  textDocuments: [document],
  workspaceFolders: [folder],
  getWorkspaceFolder: () => folder,
  getConfiguration: () => ({ get: () => undefined }),
  onDidChangeConfiguration: never,
  onDidOpenTextDocument: never,
  onDidChangeTextDocument: never,
  onDidCloseTextDocument: never,
};
