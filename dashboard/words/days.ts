/** Days are UTC days, `YYYY-MM-DD`; instants carry Z. The browser's own zone is never used. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LONG_MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const DAY_MS = 86_400_000

const parsed = (day: string) => new Date(`${day}T00:00:00Z`)
const monthOf = (at: Date) => MONTHS[at.getUTCMonth()] ?? ''

/** "8 Nov" */
export const dayText = (day: string): string => `${parsed(day).getUTCDate()} ${monthOf(parsed(day))}`
/** "8 November", for names that are read aloud. */
export const longDayText = (day: string): string =>
  `${parsed(day).getUTCDate()} ${LONG_MONTHS[parsed(day).getUTCMonth()]}`
/** "Sun 8 Nov" */
export const weekdayText = (day: string): string => `${WEEKDAYS[parsed(day).getUTCDay()]} ${dayText(day)}`
/** "Nov", or "Jan 2026" at the turn of a year. */
export const monthText = (day: string): string =>
  parsed(day).getUTCMonth() === 0 ? `Jan ${parsed(day).getUTCFullYear()}` : monthOf(parsed(day))
export const isMonday = (day: string): boolean => parsed(day).getUTCDay() === 1
export const isFirstOfMonth = (day: string): boolean => day.endsWith('-01')

/** Inclusive: "6–7 Nov", "31 Oct – 2 Nov", "6 Nov". */
export function spanText(from: string, to: string): string {
  if (from === to) return dayText(from)
  if (from.slice(0, 7) === to.slice(0, 7)) return `${parsed(from).getUTCDate()}–${dayText(to)}`
  return `${dayText(from)} – ${dayText(to)}`
}

/** "6–7, 12 Nov, 1 Dec": spans of the same month name it once. */
export const spansText = (spans: readonly { from: string; to: string }[]): string =>
  spans
    .map(({ from, to }, index) => {
      const next = spans[index + 1]
      const is_said_later =
        next !== undefined && [to, next.from, next.to].every((day) => day.startsWith(from.slice(0, 7)))
      const text = spanText(from, to)
      return is_said_later ? text.replace(/ \w+$/, '') : text
    })
    .join(', ')

/** "08:14" */
export const clockText = (instant: string): string => instant.slice(11, 16)
/** "21 Nov 08:14"; say UTC beside it. */
export const instantText = (instant: string): string => `${dayText(instant.slice(0, 10))} ${clockText(instant)}`

/** "14 Sep 2026 – now": since when and until when a definition is in force, in UTC days. */
export const forceText = (from: string, to: string | null): string =>
  `${datedText(from)} – ${to === null ? 'now' : datedText(to)}`
const datedText = (instant: string) => datedDayText(instant.slice(0, 10))

/** "9 h", "3 days": only beside an instant. */
export function ageText(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`
  return `${Math.round(minutes / 1440)} days`
}

/** "8 Nov 2026", for places where the year is not clear from the context. */
export const datedDayText = (day: string): string => `${dayText(day)} ${day.slice(0, 4)}`
/** "21 Nov 2026 08:14", for evidence of any year, such as an old log; say UTC beside it. */
export const datedInstantText = (instant: string): string =>
  `${datedDayText(instant.slice(0, 10))} ${clockText(instant)}`
/** "21 Nov 2025 – 21 Nov 2026" */
export const datedSpanText = (from: string, to: string): string =>
  from === to ? datedDayText(from) : `${datedDayText(from)} – ${datedDayText(to)}`

/** The day that is `days` later, or earlier if `days` is negative. */
export const shiftDay = (day: string, days: number): string =>
  new Date(parsed(day).getTime() + days * DAY_MS).toISOString().slice(0, 10)

/** Every day of the inclusive range, in order. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = parsed(from).getTime(); at <= parsed(to).getTime(); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}

/** Days in a row as inclusive ranges; `days` is in order. */
export function runsOf(days: readonly string[]): { from: string; to: string }[] {
  const runs: { from: string; to: string }[] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last !== undefined && parsed(day).getTime() - parsed(last.to).getTime() === DAY_MS) last.to = day
    else runs.push({ from: day, to: day })
  }
  return runs
}
