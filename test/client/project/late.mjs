// Shows a day through urql, whose first stream does not open: node late.mjs <the graph's address> <how many
// games its day has>
import './window.mjs'

const { openLate } = await import('./dist/live/live.js')
console.log(JSON.stringify(await openLate(process.argv[2], Number(process.argv[3]))))
process.exit()
