// Shows more queries than the client keeps of those that nobody needs: node many.mjs <the graph's address> <where>
const { renderOnServer, showPages, takeOver } = await import('./dist/many/many.js')
const [, , url, where] = process.argv

async function rendered() {
  const { html, state, ...server } = await renderOnServer(url)
  await import('./window.mjs')
  return { server, passed: await takeOver(url, html, state), alone: await takeOver(url, html, {}) }
}

async function shown() {
  await import('./window.mjs')
  return showPages(url)
}

console.log(JSON.stringify(await (where === 'server' ? rendered : shown)()))
process.exit(0)
