import { printSchema } from 'graphql'
import './graph/scalars.ts'
import './types/organization.ts'
import './types/league.ts'
import './types/game.ts'
import './types/odds.ts'
import './types/prediction.ts'
import './types/line-result.ts'
import './types/market.ts'
import './types/rest.ts'
import './types/team.ts'
import './types/game-stage.ts'
import './types/team-games.ts'
import './types/elo.ts'
import './types/form.ts'
import './types/line-record.ts'
import './types/schedule-strength.ts'
import './types/stat-ranking.ts'
import './types/team-stats.ts'
import './types/four-factors.ts'
import './types/player.ts'
import './types/player-team-season.ts'
import './types/transfer.ts'
import './types/coach.ts'
import './types/conference.ts'
import './types/title-chances.ts'
import './types/boxscore.ts'
import './types/player-boxscore.ts'
import './types/ranking.ts'
import './types/scores.ts'
import './types/search.ts'
import './types/usage.ts'
import './types/league-lists.ts'
import './types/standings.ts'
import './types/node.ts'
import { builder } from './graph/builder.ts'
import { asSubgraph } from './graph/entities.ts'
import { subgraphSdl } from './graph/subgraph-sdl.ts'

const graph = builder.toSchema()

/** The graph as clients see it, in SDL. */
export const printedSchema = (): string => `${printSchema(graph)}\n`

/** The graph as a federation gateway sees it, with its keys, in SDL. */
export const printedSubgraph = (): string => subgraphSdl(graph)

/** The whole graph as a federation subgraph. Each type is one of the imports above. */
export const schema = asSubgraph(graph, printedSubgraph)
