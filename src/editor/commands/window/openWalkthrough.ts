import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { hasConfiguration, hasResults } from '../../surfaces/configuration/presence';

/** Until VS Code has registered the steps. */
const registeredMilliseconds = 500;

/**
 * *Kymo: Get Started*: the walkthrough of `package.json`. VS Code (1.139) ignores a completion event whose context key was set before the steps
 * were registered, so steps that are done already get keys that are set afterwards.
 */
export async function openWalkthrough(kymo: Kymo): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'kymo.kymo#start', false);
  await setTimeout(registeredMilliseconds);
  const done = { configured: await hasConfiguration(), measured: await hasResults(kymo) };
  for (const [step, isDone] of Object.entries(done))
    await vscode.commands.executeCommand('setContext', `kymo.walkthrough.${step}`, isDone);
}
