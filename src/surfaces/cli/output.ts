/** Results go to standard output, everything else to standard error. */

/**
 * A reader that has seen enough (`| head`) is no failure: what the command did stays done, and only the rest of its words is lost.
 * A result that cannot be written for another reason, such as a full disk, is told when the command ends, to `onLost`.
 */
export function outliveReaders(onLost: (error: Error) => void): void {
  let lost: Error | null = null
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error
  })
  // There is no other place to tell it.
  process.stderr.on('error', () => {})
  process.once('exit', () => {
    if (lost !== null && !process.exitCode) onLost(lost)
  })
}

/** Prints and waits until it is out of this process; rejects when nobody can read it, a reader that has gone included. */
export function printed(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export function printJson(value: unknown): void {
  printLine(jsonText(value))
}

export function printLine(text = ''): void {
  process.stdout.write(`${text}\n`)
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Rows as aligned columns under their headings. */
export function printTable(headings: readonly string[], table: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...table.map((cells) => (cells[column] as string).length)),
  )
  for (const cells of [headings, ...table]) {
    printLine(
      cells
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
  }
}
