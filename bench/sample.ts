import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cfbFacts } from '../src/service/import/football-facts.ts'
import { readCfbTables } from '../src/service/import/football-tables.ts'
import { ncaaFacts } from '../src/service/import/basketball-facts.ts'
import { readNcaaTables } from '../src/service/import/basketball-tables.ts'
import { dayOf } from '../src/service/sample/calendar.ts'
import { sampleLeagues } from '../src/service/sample/create.ts'
import { factsOf } from '../src/service/sample/facts.ts'
import { sampleNow } from './league.ts'
import { figuresOf } from './sample/figures.ts'
import type { Figures } from './sample/figures.ts'
import { targetsOf } from './sample/targets.ts'
import { table } from './table.ts'

interface Season {
  readonly title: string
  readonly figures: Figures
}

const quiet = () => {}
const colourless = { byTeam: new Map(), idBySchool: new Map(), read: [] }

/**
 * What the sample league looks like next to the real seasons, and what it has to look like.
 *
 * @param folder where `ncaa-mbb-2026` and `cfb-2025` lie
 * @returns whether the sample league meets its targets
 */
export async function run(folder: string, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const league of sampleLeagues(dayOf(sampleNow))) {
    const { sport } = league.competition
    const facts = factsOf(league, sampleNow)
    const sample = [...figuresOf(facts)].map(([season, figures]) => ({ title: `sample ${season}`, figures }))
    const real = await realSeasons[sport](folder)
    print(`${sport}:`)
    const { text, met } = compare(sport, sample, real)
    print(text)
    const codes = facts.teams.map(({ char6 }) => char6 ?? '')
    const readable = codes.filter((code) => /^[A-Z]{3,5}$/.test(code)).length
    print(`codes of 3–5 letters: ${readable} of ${codes.length}, such as ${codes.slice(0, 8).join(' ')}\n`)
    good &&= met && readable === codes.length
  }
  return good
}

function compare(sport: 'basketball' | 'football', sample: readonly Season[], real: readonly Season[]) {
  const seasons = [...sample, ...real]
  let met = true
  const rows = targetsOf(sport).map(({ name, target, show, holds }) => {
    const missed = sample.some(({ figures }) => !holds(figures))
    met &&= !missed
    return [name, ...seasons.map(({ figures }) => show(figures)), `${target}${missed ? '  missed' : ''}`]
  })
  return { text: table(['', ...seasons.map(({ title }) => title), 'target'], rows), met }
}

const realSeasons = {
  basketball: (folder: string) =>
    realSeason(join(folder, 'ncaa-mbb-2026'), async (source) =>
      ncaaFacts(await readNcaaTables(source, quiet), colourless),
    ),
  football: (folder: string) =>
    realSeason(join(folder, 'cfb-2025'), async (source) =>
      cfbFacts(await readCfbTables(source, quiet), colourless),
    ),
}

/** The figures of a real season; none if its files are not there. */
async function realSeason(
  source: string,
  read: (source: string) => Promise<{ facts: Parameters<typeof figuresOf>[0] }>,
): Promise<Season[]> {
  if (!existsSync(source)) return []
  const { facts } = await read(source)
  return [...figuresOf(facts)].map(([season, figures]) => ({ title: `real ${season}`, figures }))
}
