// A window whose display language is German: titles of package.json, texts of views and messages of the extension.
import { assert } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withWorkspace((folder) =>
    withSession({ ...options, folder, language: 'de' }, async (session) => {
      const { workbench, page, inHost } = session;
      await report.check('the display language is German', async () => {
        const language = await inHost(() => vscode.env.language);
        assert(language === 'de', `it is ${language}`);
      });
      await report.check(
        'a command has its German title, and its message and button are German',
        async () => {
          await workbench.runCommand('Kymo: Hotspots anzeigen');
          const message = await workbench.toastMessage('noch kein Lauf gemessen');
          assert(message.includes('Verfeinern Sie zuerst die Instrumentierung'), message);
          await workbench
            .toast('noch kein Lauf gemessen')
            .locator('.monaco-button', { hasText: 'Instrumentierung verfeinern' })
            .waitFor();
        },
      );
      await report.check('views have German names and welcome texts', async () => {
        await inHost(() => vscode.commands.executeCommand('kymo.experiments.focus'));
        for (const text of ['Noch keine Experimente.', 'Noch keine Funktionen.', 'Noch keine Befunde.'])
          await page.getByText(text).first().waitFor();
        await page.locator('.pane-header', { hasText: 'Instrumentierung' }).first().waitFor();
        await workbench.screenshot('german');
      });
      await report.check('a text that a constant has from the start is German, too', async () => {
        await workbench.runCommand('Kymo: Traces vergleichen…');
        await page.locator('.quick-input-widget', { hasText: 'Zwei Prozessanzahlen' }).waitFor();
        await page.keyboard.press('Escape');
      });
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
}
