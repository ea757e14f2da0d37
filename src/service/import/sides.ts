import type { SourceRow } from './source-row.ts'

/** Both teams of each game. */
export type Sides = ReadonlyMap<string, readonly string[]>

/** Throws RowFault unless the row's team is one of its game's. Rows of unknown games are left out later. */
export function checkSide(
  row: Pick<SourceRow<'game_id' | 'team_id'>, 'required' | 'fault'>,
  sides: Sides,
): void {
  const [game, team] = [row.required('game_id'), row.required('team_id')]
  if (sides.get(game)?.includes(team) === false)
    throw row.fault('team_id', `does not play in game ${JSON.stringify(game)}: ${JSON.stringify(team)}`)
}
