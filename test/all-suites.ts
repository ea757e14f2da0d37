/** Whether everything is tried, with each version and on each page: `npm run suites -- --all`. */
export const allSuites = process.env['ALL_SUITES'] === 'yes'
