/**
 * Milliseconds between two heartbeats of an event stream or a WebSocket. Proxies close silent connections,
 * nginx after a minute.
 */
export const heartbeatMs = 12_000
