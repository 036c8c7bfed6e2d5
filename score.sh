cd /tmp/det; node_modules/.bin/esbuild bench/dynamics/classes.ts --bundle --platform=node --format=esm --outfile=/tmp/zb/classes.mjs --log-level=error && nice -n 10 node /tmp/zb/classes.mjs "$@"
