// Follows a day through each client while its server restarts: node restart.mjs <the graph's address> <what
// restarts it>
import './window.mjs'

const { restartAll } = await import('./dist/live/live.js')
console.log(JSON.stringify(await restartAll(process.argv[2], process.argv[3])))
process.exit(0)
