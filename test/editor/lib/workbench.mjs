// What a person does and sees in the workbench.
import path from 'node:path';
import { patience } from './patience.mjs';
import { until } from './report.mjs';

export class Workbench {
  constructor(page, screenshots) {
    this.page = page;
    this.screenshots = screenshots;
    this.readsHover = false;
    page.setDefaultTimeout(patience(60_000));
  }

  /**
   * A hover of the workbench covers what is beside it while the pointer rests, as it does after a click where the next row of a list
   * appears: before the next action the pointer goes elsewhere, as a person's would. Hovers of an editor stay.
   */
  async leaveHovers() {
    const hover = this.page.locator('.workbench-hover:visible').first();
    const leave = () => (this.readsHover ? undefined : this.page.mouse.move(640, 4));
    await this.page.addLocatorHandler(hover, leave, { noWaitAfter: true });
  }

  /** The texts of what a hover over `target` shows at `shown`; none where it does not come. */
  async hoverTexts(target, shown) {
    this.readsHover = true;
    try {
      await this.page.mouse.move(640, 400);
      await target.hover();
      await shown
        .first()
        .waitFor({ timeout: patience(5000) })
        .catch(() => undefined);
      return await shown.allInnerTexts();
    } finally {
      this.readsHover = false;
    }
  }

  /** Keeps a picture for people to look at. */
  async screenshot(name) {
    await this.page.screenshot({ path: path.join(this.screenshots, `${name}.png`) });
  }

  async runCommand(title) {
    await this.quickChoice('F1', `>${title}`, title, () => this.page.keyboard.press('Enter'));
  }

  /**
   * Writes into the quick input that a key opens, and takes the row. It closes by itself when a view that is still loading takes the
   * focus: then as a person would, once more.
   */
  quickChoice(key, text, row, take) {
    return until(`${row} in the quick input`, async () => {
      const input = await this.quickInput(key);
      const found = this.quickPickRow(row);
      return input
        .fill(text, { timeout: patience(5000) })
        .then(() => found.waitFor({ timeout: patience(5000) }))
        .then(() => take(found))
        .then(
          () => true,
          () => false,
        );
    });
  }

  /** As a person does it, by the command; first, VS Code takes a moment to write down what its editors show. */
  async reloadWindow() {
    await this.page.waitForTimeout(1500);
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.page.waitForSelector('.monaco-workbench', { timeout: patience(120_000) });
  }

  /** Opened by a key, which a window that is still busy with what went before may miss: then as a person would, once more. */
  async quickInput(key) {
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    for (let attempt = 1; attempt < 4; attempt++) {
      await this.page.keyboard.press(key);
      const shown = await input.waitFor({ timeout: patience(5000) }).then(
        () => true,
        () => false,
      );
      if (shown) return input;
      await this.page.keyboard.press('Escape');
    }
    await this.page.keyboard.press(key);
    await input.waitFor();
    return input;
  }

  quickPickRow(text) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  async pick(text) {
    const row = this.quickPickRow(text);
    await row.waitFor();
    await row.click();
  }

  /** Quick open by file name. */
  async openFile(name) {
    // A view that takes the focus between the two halves of the click closes the list, and nothing is opened.
    // It may be open in another group, too.
    const active = this.page.locator('.tabs-container .tab.active', { hasText: name }).first();
    await this.quickChoice('Control+P', name, name, async (row) => {
      await row.click({ timeout: patience(5000) });
      await active.waitFor({ timeout: patience(5000) });
    });
  }

  tab(name) {
    return this.page.locator('.tabs-container .tab', { hasText: name }).first();
  }

  dialog() {
    return this.page.locator('.monaco-dialog-box');
  }

  async answerDialog(button) {
    await this.dialog().locator('.monaco-button', { hasText: button }).first().click();
    await this.dialog().waitFor({ state: 'detached' });
  }

  toast(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  /** Waits for a message. VS Code puts it behind the bell after a while: on a busy machine it may be there before anybody saw it. */
  async message(text, milliseconds = 60_000) {
    const timeout = patience(milliseconds / 3);
    await until(
      `the message ${text}`,
      () =>
        this.toast(text)
          .waitFor({ timeout })
          .then(
            () => true,
            () => this.isInNotifications(text),
          ),
      milliseconds,
    );
  }

  async isInNotifications(text) {
    await this.runCommand('Notifications: Show Notifications');
    const isThere = await this.notification(text)
      .waitFor({ timeout: patience(3000) })
      .then(
        () => true,
        () => false,
      );
    await this.runCommand('Notifications: Hide Notifications');
    return isThere;
  }

  /** In the list behind the bell. */
  notification(text) {
    return this.page.locator('.notifications-center .notification-list-item', { hasText: text }).first();
  }

  async toastMessage(text) {
    return this.toast(text).locator('.notification-list-item-message').innerText();
  }

  /** A button of a message, which VS Code puts behind the bell after a while: on a busy machine it may be there already. */
  async clickInToast(text, button, milliseconds = 60_000) {
    const inToast = this.toast(text).locator('.monaco-button', { hasText: button }).first();
    await until(
      `${button} in the message ${text}`,
      () =>
        inToast
          .click({ timeout: patience(10_000) })
          .catch(() => this.clickInNotifications(text, button))
          .then(
            () => true,
            () => false,
          ),
      milliseconds,
    );
  }

  async clickInNotifications(text, button) {
    const timeout = patience(3000);
    await this.runCommand('Notifications: Show Notifications');
    const row = this.notification(text);
    try {
      await row.hover({ timeout });
      await row.locator('.monaco-button', { hasText: button }).first().click({ timeout });
    } catch (error) {
      await this.runCommand('Notifications: Hide Notifications');
      throw error;
    }
  }

  /** By a click on the icon, unless its view is shown already or about to be, as after a reload: the click would hide it. */
  async showView() {
    const title = this.page.locator('.sidebar .composite.title', { hasText: /kymo/i }).first();
    // The item, not its link: a badge may lie over that.
    const item = this.page
      .locator('.activitybar .action-item', { has: this.page.locator('a[aria-label^="Kymo"]') })
      .first();
    await until('the views of Kymo', async () => {
      if (await title.isVisible()) return true;
      const isChosen = await item.evaluate((element) => element.classList.contains('checked'));
      if (!isChosen) await item.click();
      return title.waitFor({ timeout: patience(5000) }).then(
        () => true,
        () => false,
      );
    });
  }

  treeRow(text) {
    return this.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  }

  /**
   * Chooses `action` in the context menu of a row, as a person would: a menu that opened before VS Code knew of the action is opened again,
   * and so is one whose row was replaced just then, which Kymo reports.
   */
  async rowAction(row, action) {
    await until(`${action} to know the row ${row}`, async () => {
      await until(`the menu of ${row} to have ${action}`, async () => {
        await this.openMenu(row);
        const item = this.menuItem(action);
        const isThere = await item.waitFor({ timeout: patience(5000) }).then(
          () => true,
          () => false,
        );
        if (!isThere) await this.page.keyboard.press('Escape');
        return isThere;
      });
      await this.choose(action);
      return !(await this.isAskedToChooseAgain());
    });
  }

  async isAskedToChooseAgain() {
    const message = this.toast('was given no row of a view');
    // VS Code hides a message after 15 s: waiting as long for this one would miss the one that the action itself shows.
    const isShown = await message.waitFor({ timeout: Math.min(patience(1000), 5000) }).then(
      () => true,
      () => false,
    );
    // It may go by itself meanwhile.
    if (isShown)
      await message
        .locator('.codicon-notifications-clear')
        .click({ timeout: patience(5000) })
        .catch(() => undefined);
    return isShown;
  }

  openMenu(row) {
    return this.openMenuOf(this.treeRow(row));
  }

  async openMenuOf(row) {
    await row.click({ button: 'right' });
    await this.page.locator('.monaco-menu .action-item').first().waitFor();
  }

  menuItem(action) {
    return this.page.locator('.monaco-menu .action-item', { hasText: action }).first();
  }

  /** Chooses in the menu that is open. */
  async choose(action) {
    const item = this.menuItem(action);
    await item.waitFor();
    // A menu ignores clicks in its first moments, so that the one that opened it does not choose.
    await until(`the menu to take the click on ${action}`, async () => {
      await item.click({ timeout: patience(1000) }).catch(() => undefined);
      return (await item.count()) === 0;
    });
  }

  /** Waits until a notification or the active panel shows a text. */
  async seen(text) {
    await until(`“${text}”`, async () => {
      if (await this.toast(text).isVisible()) return true;
      const texts = this.page.frames().map((frame) =>
        frame
          .locator('body')
          .innerText({ timeout: patience(1000) })
          .catch(() => ''),
      );
      return (await Promise.all(texts)).some((shown) => shown.includes(text));
    });
  }

  treeRows() {
    return this.page.locator('.sidebar .pane-body .monaco-list-row').allInnerTexts();
  }

  /** The text of the language status once it matches `wanted`. */
  languageStatus(wanted) {
    const item = this.page.locator('[id="status.languageStatus"]');
    return until(`the language status ${wanted}`, async () => {
      const texts = await this.hoverTexts(item, this.page.locator('.hover-language-status'));
      const all = texts.join(' ').replaceAll('\n', ' ');
      return wanted.test(all) && all;
    });
  }

  lens(text) {
    return this.page.locator('.codelens-decoration:visible', { hasText: text }).first();
  }

  lenses() {
    return this.page.locator('.codelens-decoration:visible').allInnerTexts();
  }
}
