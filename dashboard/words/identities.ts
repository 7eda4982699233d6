import type { AddressListState, Identity, Scope } from '../../src/contract/vocabulary.ts'

export const IDENTITY_WORDS: Record<Identity, string> = {
  network_verified: 'network verified',
  provider_verified: 'provider verified',
  ua_identified: 'user agent only',
  unknown: 'not identified',
}

/** Strongest first, as identity bars show them. */
export const IDENTITY_ORDER = [
  'network_verified',
  'provider_verified',
  'ua_identified',
  'unknown',
] as const satisfies readonly Identity[]

export const IDENTITY_COLORS: Record<Identity, string> = {
  network_verified: 'var(--color-network-verified)',
  provider_verified: 'var(--color-provider-verified)',
  ua_identified: 'var(--color-ua-identified)',
  unknown: 'var(--color-panel)',
}

export const SCOPE_WORDS: Record<Scope, string> = {
  ai: 'AI crawler',
  agent: 'AI agent',
  search_engine: 'Search engine',
  data_provider: 'Data provider',
}

export const ADDRESS_LIST_WORDS: Record<AddressListState, string> = {
  held: 'The addresses that the vendor publishes are loaded: claims are checked against them.',
  not_held: 'The addresses that the vendor publishes are not loaded here, so none of them proves or refutes a claim.',
  not_published: 'The vendor publishes no addresses, so none of them proves or refutes a claim.',
}
