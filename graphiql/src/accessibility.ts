/** Adds labels that GraphiQL lacks. */
const names: Readonly<Record<string, string>> = {
  '.graphiql-query-editor': 'Query',
  '[aria-label="Variables"]': 'Variables',
  '[aria-label="Headers"]': 'Headers',
  '.result-window': 'Answer',
}

function set(element: Element, attribute: string, value: string | null): void {
  if (element.getAttribute(attribute) === value) return
  if (value === null) element.removeAttribute(attribute)
  else element.setAttribute(attribute, value)
}

/** An editor is a `textarea`, on phones a contenteditable line. */
function nameEditors(page: Element): void {
  for (const [area, name] of Object.entries(names))
    for (const input of page.querySelectorAll(
      `${area} :is(textarea, .CodeMirror-code[contenteditable=true])`,
    )) {
      set(input, 'aria-label', name)
      if (input.localName !== 'textarea') set(input, 'role', 'textbox')
    }
}

/** Editors scroll, so the keyboard has to reach them. */
function reachEditors(page: Element): void {
  for (const scroller of page.querySelectorAll('.CodeMirror-scroll')) set(scroller, 'tabindex', '0')
}

/**
 * A tab must not contain a button, but GraphiQL's contain one to close them. So they become a list of
 * buttons, one of them current.
 */
function mendTabs(page: Element): void {
  for (const list of page.querySelectorAll('.graphiql-tabs')) set(list, 'role', null)
  for (const tab of page.querySelectorAll('.graphiql-tab')) {
    const button = tab.querySelector('button')
    const isCurrent = tab.classList.contains('graphiql-tab-active')
    set(tab, 'role', null)
    set(tab, 'aria-selected', null)
    if (button) set(button, 'aria-current', isCurrent ? 'true' : null)
  }
}

/** Names each history entry after its query; GraphiQL gives all the same name. */
function nameHistory(page: Element): void {
  for (const entry of page.querySelectorAll('.graphiql-history-item-label')) set(entry, 'aria-label', null)
}

/** Fixes GraphiQL for keyboards and screen readers, again after each of its renders. */
export function mendAccessibility(page: Element): void {
  const mend = () => {
    nameEditors(page)
    reachEditors(page)
    mendTabs(page)
    nameHistory(page)
  }
  new MutationObserver(mend).observe(page, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-selected', 'class', 'tabindex'],
  })
}
