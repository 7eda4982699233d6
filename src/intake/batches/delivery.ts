import type { Deliverer } from '#sources/authenticate-token.ts'
import type { DialectName } from './dialects.ts'

/** The parameters of a delivered batch. */
export interface BatchDelivery {
  deliverer: Deliverer
  /** The sender of the source; null: the batch names none. */
  sender: string | null
  idempotency_key: string | null
  /** `?dialect=`; null for generic records. */
  dialect: DialectName | null
  /** `?fields=`: names of tab-separated columns, if the dialect has columns. */
  fields: readonly string[] | null
}
