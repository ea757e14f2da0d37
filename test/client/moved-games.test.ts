import { expect, it } from 'vitest'
import { run } from '../suite.ts'
import { buildEntry, installProject, project } from './packed.ts'

const missing = await installProject()

// No graph is asked: the page answers itself, with the events of a day from which games are moved.
it.skipIf(missing)(
  'each client drops a game that has left the day, also while it was not connected, and says that rows are stale',
  async () => {
    await buildEntry('src/whole.tsx')
    const { code, output } = await run(project, process.execPath, 'whole.mjs')
    expect(code, output).toBe(0)
    // At first; whole; without one that has left; with a second component, and without it; after a reconnection.
    const shown = ['[abc]', '[abc]', '[bc]', '[bc][bc]', '[bc]', '[c]']
    const { whole, outage } = JSON.parse(output)
    expect(whole).toEqual({ react: shown, apollo: shown, urql: shown, tanstack: shown })
    // Stale rows, also after a ping; current again; an error, also after a ping; current again; a spent budget.
    const told = '[abc] [abc]! [abc]! [abc] [abc]!# [abc]!# [abc] once [abc]!# pauses once'.split(' ')
    expect(outage).toEqual({ react: told, apollo: told, urql: told, tanstack: told })
  },
)
