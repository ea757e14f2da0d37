// Renders what Vite built, in a window without a browser: node render.mjs <the graph's address>
import './window.mjs'

const { render } = await import('./dist/render/render.js')
console.log(JSON.stringify(await render(process.argv[2])))
process.exit(0)
