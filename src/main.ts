import { openFilesLimit } from './start/open-files.ts'

/** As many handles as modules are opened at once, and some. */
const enough = 1_024

// Read before, because no file can be opened then.
const limit = openFilesLimit()

// With fewer handles, modules are not found or not read, and no line of theirs could say why.
const program = await import('./start/program.ts').catch((error: unknown) => {
  if (limit === null || limit >= enough) throw error
  console.error(
    `Statline cannot be loaded, because this process may have only ${limit} files open (ulimit -n). Raise that limit to ` +
      `${enough} at least.`,
  )
  process.exitCode = 1
})
await program?.main()
