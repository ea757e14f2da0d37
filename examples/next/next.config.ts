import type { NextConfig } from 'next'

const config: NextConfig = {
  // Compression would hold back live events.
  compress: false,
  turbopack: { root: import.meta.dirname },
}

export default config
