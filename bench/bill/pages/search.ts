import { read, search } from '../calls.ts'
import type { Page } from '../recipe.ts'
import type { Json } from '../../json.ts'

/** Search while typing, and the menu of leagues. */
export const searching: readonly Page[] = [
  {
    name: 'search: teams, players and coaches',
    query: ({ teamName }) =>
      `{ league { search(name: ${JSON.stringify(teamName)}) { teams { teamId name char6 primaryColor } players { begin end player { playerId firstName lastName } } coaches { begin end coach { coachId firstName lastName } } } } }`,
    cheapest: [(ask, about) => ask(search(about, about.teamName))],
  },
  {
    name: 'search: teams alone',
    query: ({ teamName }) =>
      `{ league { search(name: ${JSON.stringify(teamName)}) { teams { teamId name altName primaryColor } } } }`,
    cheapest: [(ask, about) => ask(search(about, about.teamName, 'team'))],
  },
  {
    name: 'search: players with positions',
    query: ({ playerName }) =>
      `{ league { search(name: ${JSON.stringify(playerName)}) { players { relevanceScore player { playerId firstName lastName position number } } } } }`,
    cheapest: [
      async (ask, about) => {
        const [{ players }] = await ask(search(about, about.playerName, 'player'))
        const ids = (players as Json[]).map((player) => String(player['player_id'])) // a group of rows
        await ask(read('player', ids))
      },
    ],
  },
  {
    name: 'menu: organizations and divisions',
    query: () => '{ organizations { organizationId name } divisions { divisionId name } }',
    cheapest: [(ask) => ask(['organization/read', { inactive: 0 }], ['division/read', { inactive: 0 }])],
  },
]
