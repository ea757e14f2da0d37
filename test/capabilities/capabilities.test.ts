import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { Capabilities } from '../../src/capabilities/capabilities.ts'
import { CapabilitiesError, keptCapabilities, parsed } from '../../src/capabilities/file.ts'
import { questions } from '../../src/capabilities/questions.ts'
import { readConfig } from '../../src/config.ts'
import { capabilitiesOf } from '../../src/start/stores.ts'

const day = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'capabilities-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('questions', () => {
  test('each has a name of its own, and assumes what it can find', () => {
    expect(new Set(questions.map(({ name }) => name)).size).toBe(questions.length)
    for (const { assumed, findings } of questions) expect(Object.keys(findings)).toContain(assumed)
  })
})

describe('findings', () => {
  test('expire: then the assumption is believed again', () => {
    let now = 0
    const capabilities = new Capabilities(() => now)
    capabilities.note('several values', 'one value')
    capabilities.note('plan', 'no bulk reads')
    expect(capabilities.choices.values).toBe('one value')
    now += 10 * 60_000
    expect(capabilities.finding('plan')).toBe('bulk reads')
    expect(capabilities.choices.values).toBe('one value')
    now += 7 * day
    expect(capabilities.choices.values).toBe('repeated')
    expect(capabilities.findings).toEqual({})
  })

  test('are told once, and again when they change', () => {
    const capabilities = new Capabilities(() => 0)
    const told: string[] = []
    capabilities.onFinding(({ name, found }) => told.push(`${name}: ${found}`))
    for (const found of ['repeated', 'comma list', 'comma list', 'one value'])
      capabilities.note('several values', found)
    expect(told).toEqual(['several values: comma list', 'several values: one value'])
  })

  test('of other versions are left out of a file, and the rest is believed', () => {
    const file = join(folder, 'old.json')
    const findings = {
      'several values': { found: 'by mail', at: 0 },
      'a question of old': { found: 'yes', at: 0 },
      rows: { found: 'list', at: 0 },
    }
    writeFileSync(file, JSON.stringify({ version: 1, service: 'x', findings }))
    expect(Object.keys(new Capabilities(() => 0, parsed(file)?.findings).findings)).toEqual(['rows'])
  })

  test('survive a restart in their file; what is no such file is one clear line', () => {
    const file = join(folder, 'deep', 'capabilities.json')
    const keep = () =>
      keptCapabilities(
        file,
        'http://service.test/v1',
        () => 0,
        () => {},
      )
    keep().note('POST', 'refused')
    expect(keep().choices.mayPost).toBe(false)
    writeFileSync(file, 'no JSON')
    expect(keep).toThrow(CapabilitiesError)
  })

  test.each([
    ['is not JSON', (file: string) => writeFileSync(file, 'no JSON')],
    ['cannot be read', (file: string) => mkdirSync(file)],
  ])('in a file of CAPABILITIES that %s stop the start in one line that names it', (_what, damage) => {
    const file = join(mkdtempSync(join(folder, 'named-')), 'named.json')
    damage(file)
    const config = readConfig({ UPSTREAM_URL: 'http://service.test/v1', CAPABILITIES: file })
    expect(() => capabilitiesOf(config, null)).toThrow(/^CAPABILITIES names ".*named\.json", which .*\.$/)
  })

  test('in a damaged file of DATA_DIR begin anew, with one warning, and are written again', () => {
    const own = join(folder, 'data')
    mkdirSync(own)
    const file = join(own, 'capabilities.json')
    writeFileSync(file, '{"version":1,"serv')
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const config = readConfig({ UPSTREAM_URL: 'http://service.test/v1', DATA_DIR: own })
    capabilitiesOf(config, null).note('POST', 'refused')
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/DATA_DIR.*learned again/)]])
    expect(parsed(file)?.findings).toHaveProperty('POST')
    expect(capabilitiesOf(config, null).choices.mayPost).toBe(false)
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })
})
