import { TeamConferenceDocument } from 'statline-client'
import { usePriced } from '../parts/priced.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'

interface ConferenceProps {
  readonly teamId: string
  readonly season: number | undefined
}

/** The team’s conference, which leads to its standings. It may cost a day’s games; then it is offered. */
export function Conference({ teamId, season }: ConferenceProps) {
  const shown = usePriced(TeamConferenceDocument, { teamId, ...league() }, { maxAge: 86_400 })
  const conference = shown.data?.league?.team?.conference
  if (shown.asks !== null)
    return (
      <button type="button" onClick={shown.agree}>
        Conference: {shown.asks} tokens
      </button>
    )
  if (!conference)
    return shown.failure || shown.errors.length > 0 ? (
      <button type="button" onClick={shown.refetch}>
        The conference could not be loaded. Try again
      </button>
    ) : null
  return <a href={href.conference(conference.conferenceId, season)}>{conference.name ?? 'Conference'}</a>
}
