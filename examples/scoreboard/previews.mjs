import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Draws the preview images of the pages, one for each kind, from a running Statline with its sample league:
// `npm start`, then `node examples/scoreboard/previews.mjs [http://127.0.0.1:4000]`, then `npm run pages`.
// It uses the browser tests' packages (`npm --prefix test/browser ci`) and a Chromium.

const require = createRequire(new URL('../../test/browser/package.json', import.meta.url))
const { chromium } = require('playwright-core')
const folder = fileURLToPath(new URL('public/', import.meta.url))
const base = process.argv[2] ?? 'http://127.0.0.1:4000'
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

async function dataOf(query) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await answer.json()).data
}

const dayBefore = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const side = '{ teamId conferenceId roster { playerId } stats { points { rank } } }'
const fields = `gameId status season homeTeam ${side} awayTeam ${side}`

/** The last day with finished games, and the one of them whose teams score most. */
async function finishedGame() {
  for (let days = 0; days < 30; days += 1) {
    const date = dayBefore(days)
    const { league } = await dataOf(`{ league { games(date: "${date}") { ${fields} } } }`)
    const games = league.games.filter(({ status }) => status === 'final')
    const rank = ({ homeTeam, awayTeam }) => homeTeam.stats.points.rank + awayTeam.stats.points.rank
    if (games.length > 0) return { date, game: games.toSorted((a, b) => rank(a) - rank(b))[0] }
  }
  throw new Error('No game was played in the last thirty days.')
}

/** The player of a team who scores most. */
async function bestOf({ teamId, roster }, season) {
  const ids = JSON.stringify(roster.map(({ playerId }) => playerId))
  const stats = `stats(season: ${season}, teamId: "${teamId}") { pointsPerGame { value } }`
  const { players } = await dataOf(`{ players(ids: ${ids}) { playerId ${stats} } }`)
  const points = (player) => player?.stats?.pointsPerGame?.value ?? 0
  return players.toSorted((a, b) => points(b) - points(a))[0].playerId
}

const { date, game } = await finishedGame()
const { gameId, season, homeTeam, awayTeam } = game
const pages = {
  preview: [`/games/${dayBefore(0)}`, '.strip .count:not(:empty)'],
  'preview-game': [`/game/${gameId}`, '.movement'],
  'preview-team': [`/team/${homeTeam.teamId}/${season}`, '.game-list'],
  'preview-player': [`/player/${await bestOf(homeTeam, season)}/${season}`, '.small-charts'],
  'preview-standings': [`/conference/${homeTeam.conferenceId}/${season}`, 'main table'],
  'preview-leaders': ['/leaders', 'main table'],
  'preview-compare': [`/compare/teams/${awayTeam.teamId}/${homeTeam.teamId}/${season}`, '.versus'],
}
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
// 1200 × 630, the size that other sites show, drawn so large that it can be read when it is made small.
const look = { viewport: { width: 960, height: 504 }, deviceScaleFactor: 1.25, colorScheme: 'light' }
for (const [name, [path, part]] of Object.entries(pages)) {
  const page = await browser.newPage({ ...look, locale: 'en-US', timezoneId: 'America/New_York' })
  await page.goto(base + path)
  await page.locator(part).first().waitFor()
  await page.locator('.loading').waitFor({ state: 'detached' })
  await page.screenshot({ path: `${folder}${name}.png` })
  await page.close()
}
await browser.close()
console.log(`Drawn in ${folder}, of games until ${date}.`)
