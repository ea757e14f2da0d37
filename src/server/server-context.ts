import type { YogaInitialContext } from 'graphql-yoga'

/** The context of Yoga's own plugins, without ours. */
export type ServerContext = YogaInitialContext
