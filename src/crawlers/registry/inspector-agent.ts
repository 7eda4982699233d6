/** Agents of Spoor's own inspections: never the crawler that they name, from any client (rules 8.3). */

/** The text in every such agent. */
export const INSPECTOR_MARK = 'SpoorInspector/'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
/** The mark, a public URL and an id. */
const MAX_MARK_LENGTH = 300

export const isInspectorAgent = (user_agent: string): boolean => user_agent.includes(INSPECTOR_MARK)

/** The inspection that an agent claims to be part of; null for other agents. */
export function inspectionOfAgent(user_agent: string): string | null {
  const at = user_agent.indexOf(INSPECTOR_MARK)
  return at === -1 ? null : (UUID.exec(user_agent.slice(at, at + MAX_MARK_LENGTH))?.[0] ?? null)
}
