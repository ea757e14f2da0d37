// Follows a day through many subscribers of each client while the servers restart: node rolling.mjs <the
// graph> <what commands it> <how many of each>
import './window.mjs'

const { rollAll } = await import('./dist/rolling/rolling.js')
console.log(JSON.stringify(await rollAll(process.argv[2], process.argv[3], Number(process.argv[4]))))
process.exit(0)
