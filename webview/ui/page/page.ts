import './ui.css';

/** The element for a view's content, which the page provides (`src/editor/surfaces/panels/html.ts`). */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  return root;
}
