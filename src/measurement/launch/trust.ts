/**
 * Whether programs may start that a workspace names, or that read its files. The command line allows them, since the user called a command that
 * needs them. An editor opens folders that nobody has checked, so its engine begins without trust (VS Code: Workspace Trust).
 *
 * This is a property of the process: `runProcess` checks it, so that no caller can forget to.
 */
let trusted = true;

/** From now on only programs of the machine start (`ProcessOptions.asksMachine`). */
export function distrustWorkspace(): void {
  trusted = false;
}

export function trustWorkspace(): void {
  trusted = true;
}

export function workspaceIsTrusted(): boolean {
  return trusted;
}
