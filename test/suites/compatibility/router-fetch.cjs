/** Fetches as the suite does, but for the address of its router, which is where ROUTER_URL says. */
module.exports = (url, options) =>
  fetch(url === 'http://localhost:4000/' ? process.env.ROUTER_URL : url, options)
