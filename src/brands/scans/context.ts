import type { Logger } from 'pino'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { AnswersContext } from '../answers/store-answers.ts'

/** The context of asking engines. */
export interface ScanContext extends AnswersContext {
  outgoing: SafeFetchContext
  secrets: SecretBox
  log: Logger
  /** The folder of sealed raw responses; created with the first one. */
  payload_folder: string
  /** Is called when a call has ended, with `answered` or the code of a refusal or failure. */
  onCallEnded?: (asked: { engine: string; outcome: string }) => void
  /** Returns a number from 0 to under 1: the part of a pause that is waited. */
  random?: () => number
  /** For one request and its response; 120 seconds. */
  timeout_ms?: number
}
