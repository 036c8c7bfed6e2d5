/** Common interface of controls. Controls are plain objects around DOM elements; their owner inserts `element` into the page. */
export interface Control {
  readonly element: HTMLElement;
}

interface ElementOptions {
  readonly class?: string;
  /** Set as text, never as markup: names from programs are hostile. */
  readonly text?: string;
  readonly role?: string;
  /** `aria-label`, for screen readers. */
  readonly label?: string;
  /** Shown on hovering. */
  readonly tooltip?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Creates an element with children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.role !== undefined) made.setAttribute('role', options.role);
  if (options.label !== undefined) made.setAttribute('aria-label', options.label);
  if (options.tooltip !== undefined) made.title = options.tooltip;
  for (const [name, value] of Object.entries(options.attributes ?? {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

let lastId = 0;

/** An id that no other element of the page has. */
export function freshId(prefix: string): string {
  return `${prefix}-${++lastId}`;
}

/** Sets or removes an attribute. */
export function setAttribute(of: Element, name: string, value: string | undefined): void {
  if (value === undefined) of.removeAttribute(name);
  else if (of.getAttribute(name) !== value) of.setAttribute(name, value);
}
