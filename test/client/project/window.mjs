// A window without a browser, for React to render in.
import { Window } from 'happy-dom'

const window = new Window()
Object.assign(globalThis, {
  window,
  document: window.document,
  navigator: window.navigator,
  HTMLIFrameElement: window.HTMLIFrameElement,
})
