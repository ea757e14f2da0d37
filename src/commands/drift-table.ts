import type { CapabilitiesFile } from '../capabilities/file.ts'

/** What a service sends otherwise than specified, as lines under a bill; empty where nothing was seen. */
export function driftTable(known: Pick<CapabilitiesFile, 'drift'> | null): string {
  const lines = known?.drift ?? []
  if (lines.length === 0) return ''
  const width = Math.max(...lines.map(({ kind }) => kind.length))
  const told = lines.map(({ kind, where, count }) => `${kind.padEnd(width)}  ${where}  (${count} rows)`)
  return ['\n', 'What the service sends otherwise than specified', '', ...told].join('\n')
}
