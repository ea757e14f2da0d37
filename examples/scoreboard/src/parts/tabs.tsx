import './tabs.css'

export interface Tab {
  readonly label: string
  readonly href: string
  readonly isShown: boolean
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.label}>
            <a href={tab.href} aria-current={tab.isShown ? 'page' : undefined}>
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
