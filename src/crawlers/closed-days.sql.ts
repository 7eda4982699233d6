import Type from 'typebox'
import { rows, text } from '#evidence/sql.ts'

/** One number for all labels of a registry version: another one when an agent got a label or another identity. */
export const labelsNow = (registry_version: string) => rows(Type.Object({ digest: Type.String() }))`
  SELECT toString(groupBitXor(cityHash64(agent_key, crawler_id, purpose, identity, scope))) AS digest
  FROM spoor.agent_labels FINAL
  WHERE registry_version = ${text(registry_version)}`
