import type { REVENUE_CLASSES, REVENUE_PROVENANCES } from '../../src/contract/vocabulary.ts'

type Provenance = (typeof REVENUE_PROVENANCES)[number]
type RevenueClass = (typeof REVENUE_CLASSES)[number]

export const PROVENANCE_WORDS: Record<Provenance, string> = {
  browser: 'Reported by pages',
  server: 'Reported by servers',
}

export const REVENUE_CLASS_WORDS: Record<RevenueClass, string> = {
  matched: 'Both agree',
  browser_only: 'Pages only',
  server_only: 'Servers only',
  amount_mismatch: 'Amounts differ',
  currency_mismatch: 'Currencies differ',
  duplicate: 'Reported more than once',
  unkeyed: 'Without an order id',
}

/** From orders that agree to those that cannot be compared. */
export const REVENUE_CLASS_ORDER = [
  'matched',
  'browser_only',
  'server_only',
  'amount_mismatch',
  'currency_mismatch',
  'duplicate',
  'unkeyed',
] as const satisfies readonly RevenueClass[]

export const NOT_VERIFIED = 'Reported by your pages and servers. Not verified with a payment provider.'

/**
 * Exact decimal digits of minor units in the currency's own digits, whatever their length. A currency that is not known
 * to this browser has two digits.
 */
export function exactMoney(minor_units: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const scaled = BigInt(minor_units)
  const whole = scaled / 10n ** BigInt(digits)
  const rest = (scaled < 0n ? -scaled : scaled) % 10n ** BigInt(digits)
  const sign = scaled < 0n && whole === 0n ? '-' : ''
  const fraction = digits === 0 ? '' : `.${rest.toString().padStart(digits, '0')}`
  return `${sign}${new Intl.NumberFormat('en').format(whole)}${fraction} ${currency}`
}
