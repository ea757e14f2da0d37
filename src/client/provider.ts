'use client'

import { createContext, createElement, useContext } from 'react'
import type { ReactNode } from 'react'
import type { Client } from './client.ts'

const ClientContext = createContext<Client | null>(null)

/** Passes the client to the hooks below it. */
export function StatlineProvider({ client, children }: { client: Client; children?: ReactNode }) {
  return createElement(ClientContext.Provider, { value: client }, children)
}

/** The client of the nearest StatlineProvider. Throws if there is none. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('Statline’s hooks need a <StatlineProvider client={new Client()}> above them.')
  return client
}
