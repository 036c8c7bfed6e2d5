/**
 * Calls `listener` when the user changes theme, contrast or font; VS Code then changes the class and style of the page. Returns a function
 * that stops it.
 */
export function onThemeChange(listener: () => void): () => void {
  let due = false;
  const observer = new MutationObserver(() => {
    // Class and variables change one after the other, so that one call per frame is enough.
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      listener();
    });
  });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}

/** The value of a theme token, e.g. `--vscode-charts-blue`; the fallback when the theme has none. */
export function themeToken(name: `--vscode-${string}`, fallback: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return value === '' ? fallback : value;
}

/** Whether the theme has high contrast and needs outlines instead of shades. */
export function isHighContrast(): boolean {
  const { classList } = document.body;
  return classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
}

/** Whether the user has disabled animations (in VS Code's settings or the system's). */
export function prefersReducedMotion(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
