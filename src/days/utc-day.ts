/** The UTC day (`YYYY-MM-DD`) that holds an instant. */
export function utcDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** The first instant of a UTC day given as `YYYY-MM-DD`. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}
