import { expect, it } from 'vitest'
import { run } from '../suite.ts'
import { buildEntry, installProject, project } from './packed.ts'

const missing = await installProject()

// No graph is asked: the page answers itself, with the events of a day from which games are moved.
it.skipIf(missing)(
  'each client drops a game that has left the day, also while it was not connected',
  async () => {
    await buildEntry('src/whole.tsx')
    const { code, output } = await run(project, process.execPath, 'whole.mjs')
    expect(code, output).toBe(0)
    // At first; whole; without one that has left; with a second component, and without it; after a reconnection.
    const shown = ['[abc]', '[abc]', '[bc]', '[bc][bc]', '[bc]', '[c]']
    expect(JSON.parse(output)).toEqual({ react: shown, apollo: shown, urql: shown, tanstack: shown })
  },
)
