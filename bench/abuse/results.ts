/** The table at the end, in the form of docs/verification.md. */

export interface Result {
  name: string
  does: string
  holds: string
  /** Rounds in which everything held. */
  rounds: number
  seconds: number
  /** The counts of each round. */
  counted: string[]
  /** What did not hold, with the seed that repeats it; null: everything held. */
  broken: string | null
  /** Why it was not run; null: it was. */
  cannot_run: string | null
}

export function resultTable(results: readonly Result[]): string {
  const rows = results.map((result) => `| ${result.name} | ${result.does} | ${outcomeOf(result)} |`)
  return ['| scenario | what is done | outcome |', '| --- | --- | --- |', ...rows].join('\n')
}

function outcomeOf({ rounds, seconds, counted, broken, cannot_run }: Result): string {
  if (cannot_run !== null) return `not run: ${cannot_run}`
  if (broken !== null) return `**did not hold** (after ${rounds} rounds): ${broken}`
  return `held, ${rounds} × (${seconds} s); ${counted.at(-1)}`
}
