/** Esbuild puts what is imported this way into the style sheet beside the script (`scripts/lib/webviews.mjs`). */
declare module '*.css';
