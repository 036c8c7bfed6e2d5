import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { withoutLinks } from '../../../core/markdown';
import type { GatedFiles, JudgedBaseline } from '../../../workflows/views/baselineView';
import { showError } from '../../actions/showError';
import { withDelayedProgress } from '../../base/delayedProgress';
import type { MarkdownPages } from '../../base/markdownPages';
import type { Kymo } from '../../state/kymo';
import { acceptMeasurement } from './acceptBaseline';
import { chooseBaseline } from './baselineFile';
import { measuredOf } from '../experiments/measured';

/**
 * *Kymo: Compare with Baseline*: judges a measurement by the committed baseline of its target, as `kymo gate` does, and shows what it found in the source.
 * @param given the study or round of the menu; default: the newest measurement of a target
 */
export async function compareWithBaseline(kymo: Kymo, pages: MarkdownPages, given: unknown): Promise<void> {
  const title = l10n.t('Kymo: Compare with Baseline');
  const measured = await measuredOf(kymo, given, title);
  if (measured === undefined) return;
  const baseline = await chooseBaseline(kymo, measured, title);
  if (baseline === 'accept') await acceptMeasurement(kymo, measured);
  else if (baseline !== undefined)
    await judge(kymo, pages, {
      ...{ workspace: measured.folder.uri.fsPath, target: measured.target },
      ...{ baseline: baseline.file, candidate: measured.directory },
    });
}

/** *Show Verdict* of lenses, hovers and quick fixes: all that was judged, and the notes. */
export async function showVerdict(kymo: Kymo, pages: MarkdownPages): Promise<void> {
  const { verdict } = kymo.comparison.judged ?? {};
  if (verdict !== undefined) await pages.show(l10n.t('Kymo Verdict'), verdict.markdown);
}

async function judge(kymo: Kymo, pages: MarkdownPages, files: GatedFiles): Promise<void> {
  try {
    const verdict = await withDelayedProgress(
      l10n.t('Kymo: comparing {0} with its baseline', withoutLinks(files.target)),
      (signal) => kymo.comparison.judge(files, { signal }),
    );
    await kymo.comparison.show(files, verdict);
    void report(kymo, pages, files, verdict);
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'cancelled')
      vscode.window.setStatusBarMessage(
        `$(circle-slash) ${l10n.t('Kymo: comparing with the baseline was cancelled')}`,
        8000,
      );
    else void showError(kymo, error);
  }
}

async function report(
  kymo: Kymo,
  pages: MarkdownPages,
  files: GatedFiles,
  verdict: JudgedBaseline,
): Promise<void> {
  const text = l10n.t(
    'Kymo: {0} compared with {1}: {2}',
    withoutLinks(files.target),
    withoutLinks(path.basename(files.baseline)),
    withoutLinks(
      [...(files.allow === undefined ? [] : [allowedText(files.allow)]), verdictText(verdict)].join(' '),
    ),
  );
  kymo.log.info(text);
  const show = l10n.t('Show Verdict');
  const measure = l10n.t('Measure');
  const accept = l10n.t('Accept as New Baseline');
  const isOpen = verdict.verdict === 'cannot-tell';
  const anyway = l10n.t('Compare Anyway');
  const next = verdict.verdict === 'no-change' ? [] : [isOpen ? measure : accept];
  if (verdict.allowable.length > 0) next.unshift(anyway);
  const choice =
    isOpen || verdict.verdict === 'regression'
      ? await vscode.window.showWarningMessage(text, show, ...next)
      : await vscode.window.showInformationMessage(text, show, ...next);
  if (choice === show) await pages.show(l10n.t('Kymo Verdict'), verdict.markdown);
  if (choice === anyway)
    await judge(kymo, pages, { ...files, allow: [...(files.allow ?? []), ...verdict.allowable] });
  if (choice === measure) await vscode.commands.executeCommand('kymo.measure');
  if (choice === accept) await vscode.commands.executeCommand('kymo.acceptBaseline', files);
}

function allowedText(allowed: NonNullable<GatedFiles['allow']>): string {
  const names = {
    machine: l10n.t('machine'),
    compiler: l10n.t('compiler'),
    input: l10n.t('input'),
    program: l10n.t('program'),
  };
  return l10n.t('Allowed to differ: {0}.', allowed.map((one) => names[one]).join(', '));
}

/** Why both cannot be compared comes first: a message may be cut. */
function verdictText({ incomparable, sentence, worst }: JudgedBaseline): string {
  return [...incomparable, sentence, ...(worst === undefined ? [] : [worst])].join(' ');
}
