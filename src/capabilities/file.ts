import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Capabilities } from './capabilities.ts'
import type { Finding, Findings } from './capabilities.ts'
import { Drift } from './drift.ts'
import type { DriftLine } from './drift.ts'

/** The capabilities file cannot be used. The message is one line. */
export class CapabilitiesError extends Error {
  override readonly name = 'CapabilitiesError'
}

/** What a capabilities file holds. Neither a key nor an address is in it. */
export interface CapabilitiesFile {
  readonly version: 1
  /** Tells services apart without naming them. */
  readonly service: string
  readonly findings: Findings
  readonly drift: readonly DriftLine[]
}

/** The file in DATA_DIR. */
export const capabilitiesFile = (folder: string): string => join(folder, 'capabilities.json')

/** A name of a service that tells nothing of its address. */
export const serviceName = (url: string): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 16)

/**
 * What a file says of a service; null where there is no file, or where it is of another service. Throws
 * CapabilitiesError.
 */
export function readCapabilities(file: string, url: string): CapabilitiesFile | null {
  const known = parsed(file)
  return known?.service === serviceName(url) ? known : null
}

/** The file, whatever service it is of; null where there is none. Throws CapabilitiesError. */
export function parsed(file: string): CapabilitiesFile | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // the only kind that readFileSync throws for a path
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new CapabilitiesError(`The capabilities file ${file} cannot be read.`)
  }
  try {
    const known = JSON.parse(text) as Partial<CapabilitiesFile> // checked below
    if (known.version === 1 && typeof known.service === 'string' && known.findings)
      return { version: 1, service: known.service, findings: known.findings, drift: known.drift ?? [] }
  } catch {
    // Told below, as any other text that is none.
  }
  throw new CapabilitiesError(`${file} is no capabilities file. Write it anew with statline doctor.`)
}

/**
 * Writes a file as a whole: a reader sees the old or the new one. What the file has of the same service stays
 * where it is newer: the doctor and a graph that runs write the same file.
 */
export function writeCapabilities(file: string, url: string, { findings, drift }: Capabilities): void {
  const before = legible(file, url)
  const content: CapabilitiesFile = {
    version: 1,
    service: serviceName(url),
    findings: latest(before?.findings ?? {}, findings),
    drift: largest(before?.drift ?? [], drift.lines),
  }
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`)
  renameSync(temporary, file)
}

/** What a file says of a service; null also where it is none, and is written anew. */
function legible(file: string, url: string): CapabilitiesFile | null {
  try {
    return readCapabilities(file, url)
  } catch {
    return null
  }
}

/** Of two findings to one question, the later. */
function latest(one: Findings, other: Findings): Findings {
  const findings = new Map<string, Finding>(Object.entries(one))
  for (const [name, finding] of Object.entries(other))
    if (finding.at >= (findings.get(name)?.at ?? Number.NEGATIVE_INFINITY)) findings.set(name, finding)
  return Object.fromEntries(findings)
}

/** Of two counts of one difference, the larger: the one goes on from the other. */
function largest(one: readonly DriftLine[], other: readonly DriftLine[]): readonly DriftLine[] {
  const lines = new Map<string, DriftLine>()
  for (const line of [...one, ...other]) {
    const name = `${line.kind} ${line.where}`
    if (line.count >= (lines.get(name)?.count ?? 0)) lines.set(name, line)
  }
  return [...lines.values()].toSorted((a, b) => b.count - a.count)
}

/**
 * The capabilities of a service that survive a restart: read from a file, and written to it when something is
 * learned. `warn` is told what cannot be written.
 */
export function keptCapabilities(
  file: string,
  url: string,
  clock: () => number,
  warn: (text: string) => void,
): Capabilities {
  const known = readCapabilities(file, url)
  const capabilities = new Capabilities(clock, known?.findings, new Drift(known?.drift))
  const write = () => {
    capabilities.adopt(legible(file, url)?.findings ?? {})
    try {
      writeCapabilities(file, url, capabilities)
    } catch (error) {
      warn(`What was learned of the service cannot be kept in ${file}: ${messageOf(error)}`)
    }
  }
  capabilities.onChange(write)
  capabilities.drift.onGrown(write)
  return capabilities
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
