/** Cleans up when the harness ends, however it ends: processes, mounts, firewall rules. */
const ends = new Set<() => void>()

process.on('exit', () => {
  for (const end of [...ends].reverse()) {
    try {
      end()
    } catch (error) {
      console.error(error)
    }
  }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

/** @param end runs when the harness ends, also by a signal. @returns a function that cancels it. */
export function atExit(end: () => void): () => void {
  ends.add(end)
  return () => void ends.delete(end)
}
