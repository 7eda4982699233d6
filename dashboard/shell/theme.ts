/** Theme as a cookie: the service turns it into `data-theme` on <html>, so that no page flashes in the wrong one. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const COOKIE = 'spoor_theme'
const YEAR_SECONDS = 31_536_000

export function currentTheme(): Theme {
  const given = document.documentElement.dataset.theme
  return given === 'light' || given === 'dark' ? given : 'system'
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  for (const listener of listeners) listener()
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `${COOKIE}=${theme}; Path=/; Max-Age=${theme === 'system' ? 0 : YEAR_SECONDS}; SameSite=Lax`
}

const listeners = new Set<() => void>()

/** Calls back whenever another theme was chosen. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
