/** Results go to standard output, everything else to standard error. */
import { commandHost } from './command-host.ts'

/** Prints and waits until it is out of this process; rejects when nobody can read it, a reader that has gone included. */
export function printed(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    commandHost().stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export function printJson(value: unknown): void {
  printLine(jsonText(value))
}

export function printLine(text = ''): void {
  commandHost().stdout.write(`${text}\n`)
}

export function note(text: string): void {
  commandHost().stderr.write(`${text}\n`)
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
