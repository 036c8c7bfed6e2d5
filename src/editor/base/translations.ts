import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

// At load and not at activation, because modules have texts in constants: `extension.ts` imports this one first.
l10n.config({ contents: { ...vscode.l10n.bundle } });
