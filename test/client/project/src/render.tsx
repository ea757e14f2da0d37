import { createRoot } from 'react-dom/client'
import { pages } from './pages'
import { until } from './until'

/** Renders the page of each client until it shows games, and prints the teams that each showed. */
export async function render(url: string): Promise<Record<string, string[]>> {
  const shown: Record<string, string[]> = {}
  for (const [name, page] of Object.entries(pages(url))) shown[name] = await teamsOf(page)
  return shown
}

async function teamsOf(page: Parameters<ReturnType<typeof createRoot>['render']>[0]): Promise<string[]> {
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(page)
  await until(() => element.querySelector('li') !== null)
  const teams = [...element.querySelectorAll('li')].map((item) => item.textContent ?? '')
  root.unmount()
  return teams
}
