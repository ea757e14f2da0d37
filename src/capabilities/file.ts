import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../replace-file.ts'
import { Capabilities } from './capabilities.ts'
import type { Finding, Findings } from './capabilities.ts'
import { Drift } from './drift.ts'
import type { DriftLine } from './drift.ts'

/** The capabilities file cannot be used. The message is one line that names the variable. */
export class CapabilitiesError extends Error {
  override readonly name = 'CapabilitiesError'
}

/** The content of a capabilities file. It contains neither a key nor an address. */
export interface CapabilitiesFile {
  readonly version: 1
  /** A hash of the service's address. */
  readonly service: string
  readonly findings: Findings
  readonly drift: readonly DriftLine[]
}

/** The file in DATA_DIR. */
export const capabilitiesFile = (folder: string): string => join(folder, 'capabilities.json')

/** The variable that leads to a file: it names the file or its folder. */
type Variable = 'CAPABILITIES' | 'DATA_DIR'

const leadTo = {
  CAPABILITIES: 'CAPABILITIES names',
  DATA_DIR: 'DATA_DIR names the folder of',
} as const satisfies Record<Variable, string>

const fault = (file: string, variable: Variable, reason: string) =>
  new CapabilitiesError(`${leadTo[variable]} ${JSON.stringify(file)}, which ${reason}.`)

/** A hash of the service's address, which does not reveal it. */
export const serviceName = (url: string): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 16)

/**
 * What the file says of a service; null if there is no file or it is about another service. Throws
 * CapabilitiesError.
 */
export function readCapabilities(file: string, url: string): CapabilitiesFile | null {
  const known = parsed(file)
  return known?.service === serviceName(url) ? known : null
}

/** The file, for any service; null if there is none. Throws CapabilitiesError. */
export function parsed(file: string, variable: Variable = 'CAPABILITIES'): CapabilitiesFile | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // the only kind that readFileSync throws for a path
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw fault(file, variable, 'cannot be read')
  }
  try {
    const known = JSON.parse(text) as Partial<CapabilitiesFile> // checked below
    if (known.version === 1 && typeof known.service === 'string' && known.findings)
      return { version: 1, service: known.service, findings: known.findings, drift: known.drift ?? [] }
  } catch {
    // The error is thrown below.
  }
  throw fault(
    file,
    variable,
    'is not a capabilities file: delete it, or write a new one by npx statline doctor',
  )
}

/**
 * Replaces the file atomically. Newer findings that it has about the same service are kept, because the
 * doctor and a running graph write the same file.
 */
export function writeCapabilities(file: string, url: string, { findings, drift }: Capabilities): void {
  const before = legible(file, url)
  const content: CapabilitiesFile = {
    version: 1,
    service: serviceName(url),
    findings: latest(before?.findings ?? {}, findings),
    drift: largest(before?.drift ?? [], drift.lines),
  }
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`)
}

/** What the file says of a service; null also if it is damaged. It is then replaced. */
function legible(file: string, url: string): CapabilitiesFile | null {
  try {
    return readCapabilities(file, url)
  } catch {
    return null
  }
}

/** For each question the later of two findings. */
function latest(one: Findings, other: Findings): Findings {
  const findings = new Map<string, Finding>(Object.entries(one))
  for (const [name, finding] of Object.entries(other))
    if (finding.at >= (findings.get(name)?.at ?? Number.NEGATIVE_INFINITY)) findings.set(name, finding)
  return Object.fromEntries(findings)
}

/** For each difference the larger of two counts, because one process started from the other's count. */
function largest(one: readonly DriftLine[], other: readonly DriftLine[]): readonly DriftLine[] {
  const lines = new Map<string, DriftLine>()
  for (const line of [...one, ...other]) {
    const name = `${line.kind} ${line.where}`
    if (line.count >= (lines.get(name)?.count ?? 0)) lines.set(name, line)
  }
  return [...lines.values()].toSorted((a, b) => b.count - a.count)
}

/**
 * Capabilities that survive a restart: read from a file, and written to it when something is learned. `warn`
 * is called if the file cannot be written, and if one of DATA_DIR is damaged, which is then replaced. Throws
 * CapabilitiesError if one of CAPABILITIES is.
 */
export function keptCapabilities(
  file: string,
  url: string,
  clock: () => number,
  warn: (text: string) => void,
  variable: Variable = 'CAPABILITIES',
): Capabilities {
  const known = variable === 'DATA_DIR' ? restored(file, url, warn) : readCapabilities(file, url)
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

/** What the file of DATA_DIR says of a service; null, with a warning, if it cannot be used. */
function restored(file: string, url: string, warn: (text: string) => void): CapabilitiesFile | null {
  try {
    return readCapabilities(file, url)
  } catch {
    warn(`The file ${file} in DATA_DIR is damaged or cannot be read. What it has is learned again.`)
    return null
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
