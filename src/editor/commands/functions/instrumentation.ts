import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { PinState } from '../../../workflows/pins';
import type { Kymo } from '../../state/kymo';
import type { FunctionNode, InstrumentationNode } from '../../surfaces/trees/instrumentationItems';
import type { InstrumentationView } from '../../surfaces/trees/instrumentationView';
import { explain, openHotSpots } from './functionActions';
import { openMeasured } from '../../actions/openMeasured';
import { pinFunctions } from '../../actions/pinFunctions';
import { isPinArguments, pinCommand } from './pins';
import { onRow, askToChooseAgain } from './treeRow';

/** Delay after the last key, in milliseconds. */
const typingMilliseconds = 150;

/** The commands of the *Instrumentation* view. */
export function registerInstrumentationCommands(kymo: Kymo, view: InstrumentationView): void {
  kymo.command('kymo.instrumentation.filter', () => askForFilter(view));
  kymo.command('kymo.instrumentation.clearFilter', () => view.setFilter(''));
  kymo.command('kymo.instrumentation.showChanged', () => view.toggleOnlyChanged());
  kymo.command('kymo.instrumentation.showAll', () => view.toggleOnlyChanged());
  for (const order of ['share', 'name', 'line'] as const)
    kymo.command(`kymo.instrumentation.sortBy.${order}`, () => view.setOrder(order));
  kymo.command('kymo.instrumentation.more', (file: string) => view.showMore(file));
  const onFunction = (
    id: string,
    action: (node: InstrumentationNode, all?: readonly InstrumentationNode[]) => Promise<void>,
  ): void => kymo.command(`kymo.instrumentation.${id}`, onRow(action));
  onFunction('open', (node) => openFunction(kymo, node));
  onFunction('explain', async (node) => {
    if (node.kind === 'function') await explain(kymo, node.of, [node.row]);
  });
  onFunction('showInHotSpots', async (node) => {
    if (node.kind === 'function') await openHotSpots(node.of.folder, node.row);
  });
  onFunction('copyName', (node, all) => copyNames(functionsOf(node, all)));
}

/** The pin commands: with the tree's selection if called from there, else with their arguments. */
export function pinFromTree(
  kymo: Kymo,
  state: PinState | 'none',
): (...given: readonly [unknown?, (readonly InstrumentationNode[])?]) => Promise<void> {
  return async (...parameters) => {
    const [given, all] = parameters;
    // Called from a menu of the tree whose row is gone: this must not affect the function at the cursor.
    if (parameters.length > 0 && (given === undefined || given === null)) {
      askToChooseAgain();
      return;
    }
    const nodes = isNode(given) && !isPinArguments(given) ? functionsOf(given, all) : [];
    const [first] = nodes;
    if (first === undefined) return pinCommand(kymo, state, given);
    await pinFunctions(
      kymo,
      {
        folder: first.of.folder.uri.toString(),
        key: nodes.map(({ row }) => row.key),
        studyDirectory: first.of.shown.study.directory,
      },
      state,
    );
  };
}

/** An input box that filters while typing; Escape restores the previous filter. */
function askForFilter(view: InstrumentationView): Promise<void> {
  const before = view.filter;
  const box = vscode.window.createInputBox();
  box.title = l10n.t('Filter Functions');
  box.placeholder = l10n.t('Words in name or path; also @in, @out, @pinned');
  box.prompt = l10n.t('All words must occur.');
  box.value = before;
  let typing: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    let accepted = false;
    box.onDidChangeValue((value) => {
      clearTimeout(typing);
      typing = setTimeout(() => view.setFilter(value.trim()), typingMilliseconds);
    });
    box.onDidAccept(() => {
      accepted = true;
      box.hide();
    });
    box.onDidHide(() => {
      clearTimeout(typing);
      view.setFilter(accepted ? box.value.trim() : before);
      box.dispose();
      resolve();
    });
    box.show();
  });
}

async function openFunction(kymo: Kymo, node: InstrumentationNode): Promise<void> {
  if (node.kind !== 'function') return;
  const { file, line, endLine } = node.row;
  if (file !== undefined && line !== undefined)
    await openMeasured(kymo, { file, line, endLine }, { preserveFocus: true });
}

async function copyNames(nodes: readonly FunctionNode[]): Promise<void> {
  if (nodes.length > 0) await vscode.env.clipboard.writeText(nodes.map(({ row }) => row.name).join('\n'));
}

/** Nodes of a menu command: the clicked node, and all selected nodes if it is among them. */
function functionsOf(
  node: InstrumentationNode,
  all: readonly InstrumentationNode[] = [],
): readonly FunctionNode[] {
  const nodes = all.length > 0 ? all : [node];
  return nodes.flatMap((selected) => {
    if (selected.kind === 'function') return [selected];
    // A file stands for its functions.
    return selected.kind === 'file'
      ? selected.branch.functions
          .filter(({ hasSite }) => hasSite)
          .map((row): FunctionNode => ({ kind: 'function', of: selected.of, row }))
      : [];
  });
}

function isNode(value: unknown): value is InstrumentationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'of' in value;
}
