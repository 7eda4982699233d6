/** Looks up a host or its closest parent domain in a list; never a part of a label (decisions 5). */
export function hostTable<T>(entries: readonly (readonly [hosts: readonly string[], value: T])[]) {
  const known = new Map(entries.flatMap(([hosts, value]) => hosts.map((host) => [host, value] as const)))
  return (host: string): T | undefined => {
    for (let rest = host; rest !== ''; rest = parentOf(rest)) {
      const found = known.get(rest)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The name without its first label; empty after the last. */
const parentOf = (host: string): string => {
  const dot = host.indexOf('.')
  return dot === -1 ? '' : host.slice(dot + 1)
}
