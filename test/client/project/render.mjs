// Renders what Vite built, in a window without a browser: node render.mjs <the graph's address>
import { Window } from 'happy-dom'

const window = new Window()
const { document, navigator, HTMLIFrameElement } = window
// Defined, not assigned: since Node.js 21 there is a navigator that only has a getter.
for (const [name, value] of Object.entries({ window, document, navigator, HTMLIFrameElement }))
  Object.defineProperty(globalThis, name, { value })
const { render } = await import('./dist/render.js')
console.log(JSON.stringify(await render(process.argv[2])))
process.exit(0)
