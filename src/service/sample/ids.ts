import { nameUuids } from '../league/name-uuid.ts'

/** The seed of the league that ships with the service. */
export const SEED = 'statline'

const uuidOf = nameUuids('6f0f4f0e-5f0c-5d0e-9c59-3f6a7d1c2b41')

/**
 * The key of the nth row of a kind: UUID version 5, so that it depends neither on the day nor on the machine.
 */
export const sampleId = (kind: string, ordinal: string | number, seed = SEED): string =>
  uuidOf(`${seed}/${kind}/${ordinal}`)

const leagueIds = (code: string) => ({
  organizationId: sampleId('organization', code),
  divisionId: sampleId('division', code),
})

/** The default league. */
export const sampleBasketball = leagueIds('basketball')

export const sampleFootball = leagueIds('football')

/** An organization and a division that are no longer in use: what `inactive=0` leaves out. */
export const sampleRetired = leagueIds('retired')
