// Shows a day beneath an error boundary, and presses its button: node boundary.mjs <the graph's address>
import './window.mjs'

const { recover } = await import('./dist/boundary/boundary.js')
console.log(JSON.stringify(await recover(process.argv[2])))
process.exit(0)
