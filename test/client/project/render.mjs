// Renders what Vite built, in a window without a browser: node render.mjs <the graph's address>
import { Window } from 'happy-dom'

const window = new Window()
Object.assign(globalThis, {
  window,
  document: window.document,
  navigator: window.navigator,
  HTMLIFrameElement: window.HTMLIFrameElement,
})
const { render } = await import('./dist/render.js')
console.log(JSON.stringify(await render(process.argv[2])))
process.exit(0)
