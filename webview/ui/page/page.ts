import './ui.css';

/** Where a view's content goes: the element that the page brings (`src/editor/surfaces/panels/html.ts`). */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  return root;
}
