import { useTitle } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { href } from '../routing/href.ts'
import type { Subject } from '../routing/route.ts'
import { Picker } from './picker.tsx'
import { Players } from './players.tsx'
import { Teams } from './teams.tsx'
import '../parts/panel.css'
import './compare.css'

interface CompareProps {
  readonly subject: Subject
  /** None, one or both of those who are compared. */
  readonly ids: readonly string[]
  readonly season: number | undefined
}

/** Two teams or two players side by side. */
export function Compare({ subject, ids: [first, second], season }: CompareProps) {
  useTitle('Compare')
  const one = subject === 'teams' ? 'team' : 'player'
  return (
    <>
      <h1>Compare</h1>
      <Tabs
        label="Compare"
        tabs={[
          { label: 'Teams', href: href.compare('teams'), isShown: subject === 'teams' },
          { label: 'Players', href: href.compare('players'), isShown: subject === 'players' },
        ]}
      />
      <div className="pickers">
        <Picker
          key={`first ${first}`}
          subject={subject}
          label={first ? `Change the first ${one}` : `First ${one}`}
          hrefOf={(id) => href.compare(subject, id, second, season)}
        />
        <Picker
          key={`second ${second}`}
          subject={subject}
          label={second ? `Change the second ${one}` : `Second ${one}`}
          hrefOf={(id) => (first ? href.compare(subject, first, id, season) : href.compare(subject, id))}
        />
      </div>
      {first ? (
        subject === 'teams' ? (
          <Teams first={first} second={second} season={season} />
        ) : (
          <Players first={first} second={second} season={season} />
        )
      ) : (
        <p className="under">Choose two {subject} to see their season side by side.</p>
      )}
    </>
  )
}
