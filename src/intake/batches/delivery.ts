import type { Deliverer } from '#sources/authenticate-token.ts'
import type { DialectName } from './dialects.ts'

/** A batch as its sender announces it. */
export interface BatchDelivery {
  deliverer: Deliverer
  /** Which of the source's senders it is from; null when it names none. */
  sender: string | null
  idempotency_key: string | null
  /** `?dialect=`; null for generic records. */
  dialect: DialectName | null
  /** `?fields=`: names of tab-separated columns, where a dialect has them. */
  fields: readonly string[] | null
}
