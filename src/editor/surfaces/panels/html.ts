/**
 * The page of a webview, without data, inline scripts, inline handlers or remote content (VS Code webview guide, "Security"). A `meta`
 * element contains the nonce, too: the toolkit reads it there when it tests the browser's features (`csp-nonce` of fast-web-utilities).
 */
export function pageHtml(options: {
  readonly title: string;
  /** URIs that the webview may load (`webview.asWebviewUri`). */
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
