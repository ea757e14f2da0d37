export * from './generated/react.ts'
export { StatlineProvider, useClient } from './provider.ts'
export { useDocument, useLive } from './react-hook.ts'
export type { HookOptions, LiveOptions, Result } from './react-hook.ts'
