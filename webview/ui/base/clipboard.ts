/** Copies text to the clipboard; the browser allows it only during a user action. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByEvent(text);
  }
}

/** Copies without the permission in this frame: VS Code passes Copy on as an event, which takes any text. */
function copyByEvent(text: string): void {
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', give, { capture: true, once: true });
  const legacy: { execCommand(command: 'copy'): boolean } = document;
  legacy.execCommand('copy');
}
