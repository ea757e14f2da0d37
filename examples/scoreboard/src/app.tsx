import { Suspense, useLayoutEffect, useRef } from 'react'
import { Page } from './pages.tsx'
import { Loading } from './parts/states.tsx'
import { usePath } from './routing/location.ts'
import { placeOf, routeOf } from './routing/route.ts'
import { restorePosition } from './routing/scroll.ts'
import { bill } from './shell/bill-store.ts'
import { Bill } from './shell/bill.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Header } from './shell/header.tsx'
import './app.css'

/**
 * Moves the focus to the top of a new page and starts its bill at zero. A page to which the reader goes back
 * is shown where it was left.
 */
function useArrival(place: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(place)
  if (shown.current !== place) {
    shown.current = place
    queueMicrotask(bill.clear)
  }
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const isKnown = restorePosition()
    if (!isFirst.current) {
      if (!isKnown) scrollTo(0, 0)
      main.current?.focus({ preventScroll: true })
    }
    isFirst.current = false
  }, [place])
  return main
}

export function App() {
  const path = usePath()
  const route = routeOf(path)
  const place = placeOf(route, path)
  const main = useArrival(place)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Header route={route} path={path} />
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={place}>
          <Suspense fallback={<Loading what="the page" onRetry={() => location.reload()} />}>
            <Page key={place} route={route} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Bill />
    </>
  )
}
