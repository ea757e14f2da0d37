/** How many subscriptions a graph has open, by its address. */
export async function followers(url: string): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', url))).text()
  return Number(/^statline_subscriptions_active (\d+)/m.exec(metrics)?.[1])
}
