/**
 * What asks for the password again, ten minutes after it was given: making keys and tokens, changing owners, sending a
 * stored key elsewhere, deleting, restoring (decisions 2).
 */

type Input = Readonly<Record<string, unknown>>

const ALWAYS = () => true
/** Without `days` the retention is only read; with fewer days than before, evidence is deleted. */
const setsRetention = ({ days }: Input) => days !== undefined
const NEEDS: Readonly<Record<string, (input: Input) => boolean>> = {
  'key.create': ALWAYS,
  createSiteKey: ALWAYS,
  inviteMember: ({ role }) => role === 'owner',
  'token.create': ALWAYS,
  'token.rotate': ALWAYS,
  'source.add': ALWAYS,
  'source.token_create': ALWAYS,
  'tracker.key_create': ({ kind }) => kind === 'server',
  'member.add': ({ role }) => role === 'owner',
  'member.set_role': ALWAYS,
  'member.remove': ALWAYS,
  'user.add': ALWAYS,
  'user.reset_link': ALWAYS,
  'user.set_account_role': ALWAYS,
  'user.remove': ALWAYS,
  // The stored key of the engine is sent there.
  'engine.configure': ({ base_url }) => base_url !== undefined,
  'site.retention': setsRetention,
  'brand.retention': setsRetention,
  'site.remove': ALWAYS,
  'brand.remove': ALWAYS,
  'question.remove': ALWAYS,
  'fix.remove': ALWAYS,
}

/** Whether an operation with this input asks for the password again. */
export const needsPassword = (operation_id: string, input: Input): boolean => NEEDS[operation_id]?.(input) === true

/** The operations of the table, for the test that they exist. */
export const PASSWORD_OPERATIONS: readonly string[] = Object.keys(NEEDS)
