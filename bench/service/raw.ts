import { createServer } from 'node:http'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { Pool, types } from 'pg'
import { listening } from '../child.ts'
import { rawReads } from './raw-reads.ts'
import type { Row, Select } from './raw-reads.ts'

/**
 * What any server over the same database costs: `node:http`, statements prepared once, JSON made of the rows.
 * No keys, no checks and no charges. A process of its own, over a folder or a PostgreSQL.
 */
const [location = ''] = process.argv.slice(2)
const INT8 = 20

const select = location.startsWith('postgres') ? fromPostgres() : fromFile()

listening(
  createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const read = rawReads[path.slice(1)]
    if (!read) throw new Error(`The raw server has no ${path}.`)
    const answer = read(select, new URLSearchParams(query))
    const send = (text: string) => {
      const body = Buffer.from(text)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    }
    if (answer instanceof Promise) void answer.then(send)
    else send(answer)
  }),
  '',
)

function fromFile(): Select {
  const database = new LibsqlDatabase(join(location, 'league.sqlite'))
  database.exec('pragma cache_size = -65536')
  const prepare = (text: string) => database.prepare(text)
  const statements = new Map<string, ReturnType<typeof prepare>>()
  return (text, values) => {
    let statement = statements.get(text)
    if (!statement) statements.set(text, (statement = prepare(text)))
    return statement.all([...values]) as Row[] // rows of the statement's columns
  }
}

function fromPostgres(): Select {
  const getTypeParser: typeof types.getTypeParser = (oid, format) =>
    oid === INT8 ? Number : types.getTypeParser(oid, format)
  const pool = new Pool({ connectionString: location, max: 8, types: { getTypeParser } })
  const statements = new Map<string, { name: string; text: string }>()
  return (text, values) => {
    let statement = statements.get(text)
    if (!statement) {
      let place = 0
      const numbered = text.replaceAll('?', () => `$${(place += 1)}`)
      statements.set(text, (statement = { name: `raw${statements.size}`, text: numbered }))
    }
    return pool.query({ ...statement, values: [...values] }).then(({ rows }) => rows as Row[])
  }
}
