// Polls a day in several ways: node polls.mjs <the graph's address>
import './window.mjs'

const { poll } = await import('./dist/polls/polls.js')
console.log(JSON.stringify(await poll(process.argv[2])))
process.exit(0)
