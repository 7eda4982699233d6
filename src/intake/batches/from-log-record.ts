/** Turns a record of the log readers into a record of intake. */
import type { FileState, IgnoredKind, LineOutcome } from '../log/format.ts'
import { MAX_STATUS } from '../log/observed-status.ts'
import { clientOf, type LogRecord, type MalformedCode, requestOf } from '../log/record.ts'
import { RecentIds } from '../log/repeated-entries.ts'
import { readRequest } from '../log/request.ts'
import { localZone } from '../log/time.ts'
import { readAgent } from './fields.ts'
import type { IntakeRecord, RecordOutcome } from './record.ts'

const MAX_ADDRESS_LENGTH = 64

/** The state of the log readers for a batch. */
export function batchState(): FileState {
  return { zone: localZone('UTC'), columns: null, format: null, requests: new RecentIds(), sees_edge: false }
}

/** Copies the record of a reader; `id` is the dialect's id of the request. */
export function fromLogRecord(
  outcome: LineOutcome,
  log: LogRecord,
  id: string | null,
  into: IntakeRecord,
): RecordOutcome {
  if (outcome !== null) return isIgnored(outcome) ? 'not_a_visit' : outcome
  const request = readRequest(requestOf(log))
  if (typeof request === 'string') return request
  if (log.status_raw !== null && log.status_raw > MAX_STATUS) return 'status_invalid'
  const address = clientOf(log)
  into.at = log.at
  into.host = log.host ?? request.absolute_host
  into.target = request.target
  into.method = request.method
  // 0: no response was observed; `status_raw` has the reported number.
  into.status = log.status ?? NO_STATUS
  into.status_raw = log.status_raw ?? NO_STATUS
  into.user_agent = readAgent(log.user_agent)
  into.edge_action = log.edge_action
  into.address = address === '' || address === '-' || address.length > MAX_ADDRESS_LENGTH ? null : address
  into.id = id === null || id.length > MAX_ID_LENGTH ? null : id
  into.verified_bot = null
  into.signature_verified = false
  return null
}

const NO_STATUS = 0
const MAX_ID_LENGTH = 512

function isIgnored(outcome: MalformedCode | IgnoredKind): outcome is IgnoredKind {
  return outcome === 'sub_request' || outcome === 'server_internal'
}
