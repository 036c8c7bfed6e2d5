// What the parts of this scenario and the one of several windows do alike.
import { processesIn } from '../../lib/workspace.mjs';

/** Whether the program of the target `endless` runs. */
export function endless(folder) {
  return processesIn(folder).some((one) => one.includes('tiny 2000000000'));
}

/** Not by quick open: that may prefer another file with a similar name. */
export async function openHere(inHost, file) {
  await inHost((name) => vscode.window.showTextDocument(vscode.Uri.file(name)).then(() => undefined), file);
}

export async function clean(inHost) {
  await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
}
