/** The progress of a round: one changing line on a terminal, otherwise a line every half minute. */

/** The time between two lines of progress, if the output is not a terminal. */
const LINES_EVERY_MS = 30_000

export interface Progress {
  says(text: string): void
  /** What it said last. */
  said(): string
  end(text: string): void
}

export function showProgress(name: string): Progress {
  const { stderr } = process
  const since = performance.now()
  let said = 'starts'
  const line = () => `${name}: ${said} (${Math.round((performance.now() - since) / 1_000)} s)`
  const show = () => {
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line()}`.slice(0, stderr.columns || 80))
  }
  const timer = stderr.isTTY
    ? setInterval(show, 500)
    : setInterval(() => void stderr.write(`${line()}\n`), LINES_EVERY_MS)
  return {
    says(text) {
      said = text
      show()
    },
    said: () => said,
    end(text) {
      clearInterval(timer)
      said = text
      stderr.write(`${stderr.isTTY ? '\r\x1b[K' : ''}${line()}\n`)
    },
  }
}
