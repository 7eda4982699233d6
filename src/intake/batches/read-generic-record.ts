/** The generic record (decisions 3.5). A malformed field refuses the record with the code of the field. */
import {
  readAgent,
  readEdgeAction,
  readHost,
  readMethod,
  readRecordId,
  readStatus,
  readTarget,
  readVerdict,
} from './fields.ts'
import type { IntakeRecord, JsonRecord, RecordOutcome } from './record.ts'
import { readTimestamp } from './timestamp.ts'

/** Fills the record; fields that decisions 3.5 does not name are ignored. */
export function readRecord(json: JsonRecord, into: IntakeRecord): RecordOutcome {
  const { timestamp, host, user_agent, ip } = json
  if (timestamp === undefined || timestamp === null || timestamp === '') return 'timestamp_missing'
  into.at = Math.floor(readTimestamp(timestamp))
  if (Number.isNaN(into.at)) return 'timestamp_unreadable'
  into.host = typeof host === 'string' ? readHost(host) : null
  const path = readTarget(json, into)
  if (path !== null) return path
  if (!readMethod(json.method, into)) return 'method_invalid'
  if (!readStatus(json.status, into)) return 'status_invalid'
  if (user_agent === undefined) return 'user_agent_missing'
  if (user_agent === null) into.user_agent = ''
  else if (typeof user_agent === 'string') into.user_agent = readAgent(user_agent)
  else return 'user_agent_invalid'
  into.edge_action = readEdgeAction(json.edge_action)
  const id = readRecordId(json.id)
  if (id === undefined) return 'id_invalid'
  into.id = id
  into.address = typeof ip === 'string' && ip.length <= 64 && ip !== '' ? ip : null
  into.verified_bot = readVerdict(json.verified_bot)
  into.signature_verified = json.signature_verified === true
  return null
}
