import fc from 'fast-check';

/**
 * Property tests draw the same examples in every run of `npm test`, so that a change is judged by itself; `npm run test:fuzz` draws
 * new ones (`KYMO_TEST_SEED`), and what it finds becomes an example of its own.
 */
fc.configureGlobal({ seed: Number(process.env.KYMO_TEST_SEED ?? 20_261_122) });
