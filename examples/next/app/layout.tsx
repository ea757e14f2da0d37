import type { ReactNode } from 'react'
import { StatlineProvider } from 'statline-client/react'

export const metadata = { title: 'Statline and Next.js' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <StatlineProvider url="/graphql">{children}</StatlineProvider>
      </body>
    </html>
  )
}
