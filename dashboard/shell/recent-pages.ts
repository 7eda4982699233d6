/** Entries of the palette that were chosen last, newest first; of this browser only. */
const KEY = 'spoor_recent'
const MOST = 5

export function recentKeys(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : []
  } catch {
    // Storage that is switched off or was edited has no usable entries.
    return []
  }
}

export function rememberKey(key: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([key, ...recentKeys().filter((one) => one !== key)].slice(0, MOST)))
  } catch {
    // Storage that is switched off only means that nothing is recent.
  }
}
