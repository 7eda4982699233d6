const RUN_MS = 7_200_000
const WEEK_MS = 604_800_000
const YEAR_MS = 31_536_000_000

/** The text with placeholders for everything in which two runs may differ. */
export function normaliser({ work, clock }: { work: string; clock: string }): (text: string) => string {
  const from = Date.parse(clock)
  const numbers = new Map<string, string>()
  const numbered = (kind: string) => (found: string) => {
    const known = numbers.get(found)
    if (known !== undefined) return known
    const name = `<${kind} ${numbers.size + 1}>`
    numbers.set(found, name)
    return name
  }
  return (text) =>
    text
      .replaceAll(work, '<work>')
      .replace(/\bspoor_(site|pub|srv|src)[A-Za-z0-9_-]*/g, numbered('secret'))
      .replace(/#[A-Za-z0-9_-]{40,}/g, numbered('link'))
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered('id'))
      .replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, (instant) => {
        const at = Date.parse(instant)
        if (at >= from && at < from + RUN_MS) return '<now>'
        if (at >= from + WEEK_MS && at < from + WEEK_MS + RUN_MS) return '<now + 7 days>'
        return at > from + YEAR_MS / 2 ? '<machine time>' : instant
      })
      .replace(/\b\d+(\.\d+)? [KMG]iB are free|holds \d+ MiB/g, '<space>')
      .replace(/"(size|size_bytes|bytes)": \d+/g, '"$1": <bytes>')
}
