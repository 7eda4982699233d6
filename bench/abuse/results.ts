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

/** Of the scenarios that were reached; the last line says how many of `chosen` held. */
export function resultTable(results: readonly Result[], chosen: number): string {
  const rows = results.map((result) => `| \`${result.name}\` | ${result.does} | ${outcomeOf(result)} |`)
  return ['| scenario | what is done | outcome |', '| --- | --- | --- |', ...rows, '', summaryOf(results, chosen)].join(
    '\n',
  )
}

function outcomeOf({ rounds, seconds, counted, broken, cannot_run }: Result): string {
  if (cannot_run !== null) return `not run: ${cannot_run}`
  if (broken !== null) return `**did not hold** (after ${rounds} rounds): ${broken}`
  return `held (${rounds === 1 ? '1 round' : `${rounds} rounds`}, ${seconds} s): ${counted.at(-1)}`
}

function summaryOf(results: readonly Result[], chosen: number): string {
  const not_run = results.filter(({ cannot_run }) => cannot_run !== null)
  const broken = results.filter((result) => result.broken !== null)
  const held = results.length - not_run.length - broken.length
  const named = (which: readonly Result[]) =>
    which.length === 0 ? '' : ` (${which.map(({ name }) => name).join(', ')})`
  const unreached = chosen - results.length
  return (
    `Of ${chosen} scenarios ${held} held, ${broken.length} did not hold${named(broken)}, ` +
    `${not_run.length} cannot run here${named(not_run)}` +
    (unreached === 0 ? '.' : `, and ${unreached} were not reached.`)
  )
}
