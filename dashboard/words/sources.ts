import type { ConnectionStatus, CoverageState, SourceType } from '../../src/contract/vocabulary.ts'

export const SOURCE_TYPE_WORDS: Record<SourceType, string> = {
  cloudflare_zone: 'Cloudflare zone',
  https_intake: 'Log intake',
  log_upload: 'Uploaded logs',
}

export const CONNECTION_WORDS: Record<ConnectionStatus, string> = {
  pending: 'Waiting for the first record',
  live: 'Live',
  error: 'Failing',
  revoked: 'Revoked',
  disconnected: 'Disconnected',
}

export const COVERAGE_STATE_WORDS: Record<CoverageState, string> = {
  complete: 'Complete evidence',
  partial: 'Partial evidence',
  unknown: 'Unknown',
}
