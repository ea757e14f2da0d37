import { Component } from 'react'
import type { ReactNode } from 'react'
import { Failure } from '../parts/states.tsx'

interface State {
  readonly error: Error | null
}

/** Keeps the rest of the site when a page throws, or when its script cannot be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children
    return (
      <>
        <h1>This page failed</h1>
        <Failure
          message="Something in this page is broken, or a part of it could not be loaded."
          onRetry={() => location.reload()}
        />
      </>
    )
  }
}
