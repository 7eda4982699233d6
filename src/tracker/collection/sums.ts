/** Adds events to the sum of a key; a missing sum counts as 0. */
export function addTo(sums: Map<string, number>, key: string, events: number): void {
  const known = sums.get(key)
  sums.set(key, known === undefined ? events : known + events)
}
