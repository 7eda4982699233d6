/** Adds events to the sum of a key, which begins with its first. */
export function addTo(sums: Map<string, number>, key: string, events: number): void {
  const known = sums.get(key)
  sums.set(key, known === undefined ? events : known + events)
}
