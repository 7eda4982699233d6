import { useSyncExternalStore } from 'react'
import { chooseTheme, currentTheme, onTheme, THEMES, type Theme } from './theme.ts'

const WORDS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const theme = useSyncExternalStore(onTheme, currentTheme, () => 'system' as const)
  return (
    <fieldset className="flex rounded-control border border-line bg-panel p-1 text-small">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === theme}
          onClick={() => chooseTheme(one)}
          className="min-h-12 flex-1 rounded-tag text-ink2 aria-pressed:bg-sunken aria-pressed:font-strong aria-pressed:text-ink touch:min-h-22"
        >
          {WORDS[one]}
        </button>
      ))}
    </fieldset>
  )
}
