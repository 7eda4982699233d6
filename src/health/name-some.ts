const MAX_NAMES = 5

/** The first few names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${named} and ${names.length - MAX_NAMES} more` : named
}
