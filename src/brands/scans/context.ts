import type { Logger } from 'pino'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { AnswersContext } from '../answers/store-answers.ts'

/** What asking engines works with. */
export interface ScanContext extends AnswersContext {
  outgoing: SafeFetchContext
  secrets: SecretBox
  log: Logger
  /** Where sealed raw responses are kept; made when the first is. */
  payload_folder: string
  /** Sees each call that ended: `answered`, or the code of a refusal or failure. */
  onCallEnded?: (asked: { engine: string; outcome: string }) => void
  /** From 0 to under 1: how much of a pause is waited. */
  random?: () => number
  /** For one request and its response; 120 seconds. */
  timeout_ms?: number
}
