/** Numbers as text. None takes null: `Value` shows unknown numbers. */

/** Not `Intl.NumberFormat`, whose first use takes 50 ms on a slow phone. */
const grouped = (value: number, digits: 0 | 1): string => value.toFixed(digits).replace(/\B(?=(?:\d{3})+(?!\d))/g, ',')
const oneDecimal = (value: number): string => grouped(value, 1)

const SHORTENED_FROM = 10_000_000

/** All digits with separators: 47,167. */
export const fullCount = (count: number): string => grouped(count, 0)

/** All digits up to 9,999,999, then 12.4 M; the full number then belongs in a tooltip. */
export function shortCount(count: number): string {
  if (count < SHORTENED_FROM) return fullCount(count)
  if (count < 1_000_000_000) return `${oneDecimal(count / 1_000_000)} M`
  return `${oneDecimal(count / 1_000_000_000)} bn`
}

/** A share from 0 to 1 as a percentage with one decimal. Only 0 is "0.0 %", and only 1 is "100.0 %". */
export function percent(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %'
  if (share < 1 && share > 0.999) return '> 99.9 %'
  return `${oneDecimal(share * 100)} %`
}

/** "33.0–35.4" of shares from 0 to 1. */
export const interval = (low: number, high: number): string => `${oneDecimal(low * 100)}–${oneDecimal(high * 100)}`

/** Minutes as "11 h 20 min"; a whole day as "24 h". */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = Math.round(minutes % 60)
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** Seconds as "3 min 12 s". */
export function secondsText(seconds: number): string {
  const rounded = Math.round(seconds)
  if (rounded < 60) return `${rounded} s`
  return rounded % 60 === 0 ? `${rounded / 60} min` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`
}

/** Integer minor units in the currency's own digits. */
export function money(minor_units: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor_units / 10 ** digits)
}

/** "1 crawler", "2 crawlers"; pass the plural where adding s is wrong. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${fullCount(count)} ${count === 1 ? singular : plural}`

/** One decimal: "2.4". */
export const decimal = oneDecimal

/** "+6.1", "-6.1", and "0.0" without a sign. */
function signed(value: number): string {
  const text = oneDecimal(value)
  if (Number(value.toFixed(1)) === 0) return '0.0'
  return value > 0 ? `+${text}` : text
}

/** The change of a count: "+4.2 %"; null if the earlier count is zero. */
export const changeText = (now: number, before: number): string | null =>
  before === 0 ? null : `${signed((now / before - 1) * 100)} %`

/** The change of a rate: "+1.3 points". */
export const rateChangeText = (now: number, before: number): string => `${signed((now - before) * 100)} points`
