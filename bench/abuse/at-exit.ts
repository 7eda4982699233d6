/** What must not outlive the harness, however it ends: processes, mounts, rules of the firewall. */
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

/** @param end runs when the harness ends, also by a signal. @returns takes that back. */
export function atExit(end: () => void): () => void {
  ends.add(end)
  return () => void ends.delete(end)
}
