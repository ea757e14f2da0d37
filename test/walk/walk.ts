import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { sampleBasketball } from '../../src/service/sample/ids.ts'
import { startFront } from './front.ts'

/** What `tsc` makes of `src/`, and what runs before it. */
const [code, preload] = [resolve('dist'), resolve('test/walk/preload.mjs')]

/** The service with the sample league, at its moment. */
export interface Service {
  readonly url: string
  readonly apiKey: string
  readonly moment: number
}

export interface Answer {
  readonly data: { readonly league: { readonly games: readonly unknown[] } }
  readonly extensions: { readonly usage: Readonly<Record<string, number>> }
}

/** One request. */
export interface Walk {
  /** The number of our functions that ran for it, by file beneath `src/`. */
  readonly functions: ReadonlyMap<string, number>
  readonly answer: Answer
  /** The operations of the service that were called, sorted. */
  readonly calls: readonly string[]
  /** Tokens of the day in the ledger when it was over. */
  readonly booked: number
}

/** The same request three times, to a process that has just started. */
export interface Walks {
  /** Neither its document nor any row is known. */
  readonly cold: Walk
  /** Its document and rows are known, but no answer is kept. */
  readonly warm: Walk
  /** Its answer is kept. */
  readonly kept: Walk
}

/**
 * Runs the built Statline as a process of its own, with its files. A request is over when its answer is there, and
 * all that is written behind it: bills, rows, a line of the log.
 */
export async function walk({ url: service, apiKey, moment }: Service): Promise<Walks> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-walk-'))
  const front = await startFront(service)
  const child = start({ url: front.url, apiKey, moment }, folder)
  const day = new Date(moment).toISOString().slice(0, 10)
  try {
    const url = await urlOf(child)
    await functionsOf(child) // those of its start
    const next = async (): Promise<Walk> => {
      const answer = await ask(url, day)
      const functions = await functionsOf(child)
      const booked = readLedger(folder, day, day).reduce((sum, { tokens }) => sum + tokens, 0)
      return { answer, functions, calls: front.take(), booked }
    }
    return { cold: await next(), warm: await next(), kept: await next() }
  } finally {
    child.kill('SIGKILL')
    await front.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function start({ url, apiKey, moment }: Service, folder: string): ChildProcess {
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    UPSTREAM_URL: url,
    UPSTREAM_API_KEY: apiKey,
    DEFAULT_ORGANIZATION_ID: sampleBasketball.organizationId,
    DEFAULT_DIVISION_ID: sampleBasketball.divisionId,
    WALK_CODE: `${pathToFileURL(code).href}/`,
    WALK_MOMENT: String(moment),
  }
  const execArgv = ['--import', pathToFileURL(preload).href]
  return fork(join(code, 'main.js'), { env, execArgv, silent: true })
}

/** Where it listens. Throws what it has printed if it ends before. */
const urlOf = (child: ChildProcess): Promise<string> =>
  new Promise((is, failed) => {
    let output = ''
    const read = (text: Buffer) => {
      output += text.toString()
      const [, url] = /The graph listens on (\S+)/.exec(output) ?? []
      if (url !== undefined) is(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => failed(new Error(`Statline ended: ${output}`)))
  })

/** The functions that ran since the last call, by file, once nothing more runs. */
const functionsOf = (child: ChildProcess): Promise<Walk['functions']> =>
  new Promise((are, failed) => {
    child.once('close', () => failed(new Error('Statline ended.')))
    child.once('message', (told) => {
      const files = told as readonly (readonly [string, number])[] // as the preload sends them
      are(new Map(files.map(([file, count]) => [file.replace(/\.js$/, '.ts'), count])))
    })
    child.send('functions')
  })

async function ask(url: string, day: string): Promise<Answer> {
  const query = `{ league { games(date: "${day}") {
    homeScore homeTeam { name stats { points { value rank } } } odds { pre { spreadHome } }
  } } }`
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await response.json()) as Answer // a GraphQL answer
}
