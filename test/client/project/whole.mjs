// Shows a day from which games are moved, and one while the service fails, through each client: node whole.mjs
import './window.mjs'

const { showOutage, showWhole } = await import('./dist/whole/whole.js')
console.log(JSON.stringify({ whole: await showWhole(), outage: await showOutage() }))
process.exit(0)
