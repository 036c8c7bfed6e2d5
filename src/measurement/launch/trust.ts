/**
 * Whether programs may be started that a workspace names, or that read what lies in it. On the command line they may: its user called the command
 * that needs them. An editor opens folders whose owner nobody has checked yet, so its engine begins without (VS Code: Workspace Trust).
 *
 * This is a property of the process: `runProcess` asks it, so that no caller can forget to.
 */
let trusted = true;

/** From now on only programs of the machine are started (`ProcessOptions.asksMachine`). */
export function distrustWorkspace(): void {
  trusted = false;
}

export function trustWorkspace(): void {
  trusted = true;
}

export function workspaceIsTrusted(): boolean {
  return trusted;
}
