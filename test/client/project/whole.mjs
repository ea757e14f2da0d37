// Shows a day from which games are moved, through each client: node whole.mjs
import './window.mjs'

const { showWhole } = await import('./dist/whole/whole.js')
console.log(JSON.stringify(await showWhole()))
process.exit(0)
