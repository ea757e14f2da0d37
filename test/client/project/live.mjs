// Follows a day through each client, as Vite built it: node live.mjs <the graph's address> <what controls the
// day>
import './window.mjs'

const { followAll } = await import('./dist/live/live.js')
console.log(JSON.stringify(await followAll(process.argv[2], process.argv[3])))
process.exit(0)
