/** Results go to standard output, everything else to standard error. */

/** A reader that has seen enough (`| head`) is no failure: what the command did stays done, and only the rest of its words is lost. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
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
