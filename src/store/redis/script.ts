import { createHash } from 'node:crypto'

/** A Lua script. It is sent by its hash if Redis knows it. */
export interface Script {
  readonly source: string
  readonly hash: string
}

export const script = (source: string): Script => ({
  source,
  hash: createHash('sha1').update(source).digest('hex'),
})
