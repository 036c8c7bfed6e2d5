/**
 * The page of a webview: no data, no inline script or handler, nothing from elsewhere (VS Code webview guide, "Security"). The nonce is
 * in a `meta`, too: the toolkit looks for it there when it asks what the browser can do (`csp-nonce` of fast-web-utilities).
 */
export function pageHtml(options: {
  readonly title: string;
  /** As the webview may load them (`webview.asWebviewUri`). */
  readonly script: string;
  readonly style: string;
  /** `webview.cspSource` */
  readonly source: string;
  readonly nonce: string;
}): string {
  const { title, script, style, source, nonce } = options;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'nonce-${nonce}'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0).toString()};`)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
