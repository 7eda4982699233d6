/** The progress of a round: one changing line on a terminal, otherwise one line at the end. */

export interface Progress {
  says(text: string): void
  end(text: string): void
}

export function showProgress(name: string): Progress {
  const { stderr } = process
  const since = performance.now()
  let said = 'starts'
  const seconds = () => `${Math.round((performance.now() - since) / 1_000)} s`
  const show = () => {
    if (stderr.isTTY) stderr.write(`\r\x1b[K${name}: ${said} (${seconds()})`.slice(0, stderr.columns || 80))
  }
  const timer = setInterval(show, 500)
  return {
    says(text) {
      said = text
      show()
    },
    end(text) {
      clearInterval(timer)
      stderr.write(`${stderr.isTTY ? '\r\x1b[K' : ''}${name}: ${text} (${seconds()})\n`)
    },
  }
}
