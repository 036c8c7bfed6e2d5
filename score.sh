cd /tmp/det; node_modules/.bin/esbuild test/dynamics/score.ts --bundle --platform=node --format=esm --outfile=/tmp/zb/score.mjs --log-level=error && nice -n 10 node /tmp/zb/score.mjs "$@"
