const MOST_NAMES = 5

/** The first few names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${named} and ${names.length - MOST_NAMES} more` : named
}
