import { createContext, createElement, useContext } from 'react'
import type { ReactNode } from 'react'
import type { Client } from './client.ts'

const ClientContext = createContext<Client | null>(null)

/** Gives the hooks below it the client that they ask. */
export function StatlineProvider({ client, children }: { client: Client; children?: ReactNode }) {
  return createElement(ClientContext.Provider, { value: client }, children)
}

/** The client of the nearest StatlineProvider. Throws where there is none. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('Statline’s hooks need a <StatlineProvider client={new Client()}> above them.')
  return client
}
