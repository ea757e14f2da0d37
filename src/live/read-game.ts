import type { Context } from '../graph/context.ts'
import { loadRow } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { readFresh } from '../graph/place.ts'
import { hasCurrentOdds } from '../loaders/game-needs.ts'
import { lineAsk, linePlace, lines } from '../loaders/lines.ts'
import type { Selection } from '../plan/selection.ts'
import { operations, scoreColumns } from '../specification/operations.ts'
import { allDone } from '../groups.ts'

/**
 * Loads what is watched of a game that is followed alone, and its lines that are selected, side by side. The line
 * of a game that is over does not change, so it is not watched.
 */
export async function readGame(
  game: Handle,
  selection: Selection,
  context: Context,
  field: string,
): Promise<void> {
  const { relations } = selection
  const selected = (['prediction', 'history'] as const).filter((line) => relations.has(line))
  const isOver = context.clientRequest.account.game(game.entry.key).isOver
  await allDone([
    isOver && !relations.has('current')
      ? loadRow(game, context.clientRequest, scoreColumns, field)
      : freshen(game, context, field),
    ...selected.map((line) => readFresh(lineOrigins[line], linePlace(game, line, context), context, field)),
  ])
}

const lineOrigins = {
  prediction: { loader: lines, operation: operations.getScores },
  history: { loader: lines, operation: operations.readOdds },
}

/** Loads what is watched of a game, if it has expired. */
export async function freshen(game: Handle, context: Context, field: string): Promise<void> {
  const { clientRequest: request } = context
  const { wanted } = linePlace(game, 'pre', context)
  const cached = () => (hasCurrentOdds(game.entry, request.now) ? [] : undefined)
  const ask = { ...lineAsk(request, field, wanted), operation: operations.readOdds, cached }
  await allDone([loadRow(game, request, scoreColumns, field), ...(cached() ? [] : [lines.load(ask)])])
}
