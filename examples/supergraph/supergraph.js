import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'

/** A subgraph's schema, read from its `_service` field. */
export async function schemaOf(url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  })
  const { data } = await response.json()
  return data._service.sdl
}

/** Composes the subgraphs at these addresses, by name. Throws with all conflicts if they do not fit. */
export async function compose(urls) {
  const services = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => ({ name, url, typeDefs: parse(await schemaOf(url)) })),
  )
  const { supergraphSdl, errors } = composeServices(services)
  if (errors?.length) throw new Error(errors.map(({ message }) => message).join('\n'))
  return supergraphSdl
}
