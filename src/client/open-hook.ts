'use client'

import { useEffect, useState } from 'react'
import { onOpen } from './open-streams.ts'

/** Whether a subscription’s stream has shown that it is open since this component shows it. */
export function useOpen(stream: string): boolean {
  const [open, setOpen] = useState<string | null>(null)
  useEffect(() => onOpen(stream, () => setOpen(stream)), [stream])
  return open === stream
}
