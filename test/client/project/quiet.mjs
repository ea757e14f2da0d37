// Shows a day without games through each client, and another day a second time while the network hangs: node
// quiet.mjs <the graph's address> <how many games the other day has>
import './window.mjs'

const { showQuiet, showAgain } = await import('./dist/quiet/quiet.js')
const [, , url, games] = process.argv
console.log(JSON.stringify({ quiet: await showQuiet(url), again: await showAgain(url, Number(games)) }))
process.exit()
