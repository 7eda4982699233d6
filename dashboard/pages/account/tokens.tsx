import { useQuery } from '@tanstack/react-query'
import { TOKEN_SCOPES } from '../../../src/contract/vocabulary.ts'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { AccountSettings } from '../../settings/account-settings.tsx'
import { SecretList } from '../../settings/secret-list.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Panel } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'

/** The maximum number of active tokens of an account (decisions 2). */
const MAX_ACTIVE = 5
const SCOPE_WORDS: Record<(typeof TOKEN_SCOPES)[number], string> = { read: 'read', write: 'read and write' }

type Uses = ReadOutput<'token.list'>['tokens'][number]['deprecated_uses']

/** Words for the use of deprecated routes; null: the token uses none. */
function deprecatedWords(uses: Uses): string | null {
  const [newest] = uses
  if (newest === undefined) return null
  const requests = uses.reduce((sum, use) => sum + use.requests, 0)
  return `${counted(requests, 'request')} to deprecated routes, most recently on ${newest.last_used_at.slice(0, 10)}`
}

/** Which programs act for the account? */
export default function TokensPage() {
  const may = useMay()
  const tokens = useQuery({ ...readQuery('token.list', {}), enabled: may.administer === undefined })
  const changes = ['token.list'] as const
  const create = useChange('token.create', { changes, onDone: () => rotate.reset() })
  const rotate = useChange('token.rotate', { changes, onDone: () => create.reset() })
  const revoke = useChange('token.revoke', { changes })
  return (
    <AccountSettings title="Tokens">
      <Panel title="Account tokens" note="For the account API and MCP: brands, questions, answers, reports">
        <SecretList
          what="token"
          query={tokens}
          rows={(answer) =>
            answer.tokens.map(({ email, scope, deprecated_uses, ...token }) => ({
              ...token,
              about: [SCOPE_WORDS[scope], email, deprecatedWords(deprecated_uses)]
                .filter((one) => one !== null)
                .join(' · '),
            }))
          }
          forbidden={may.administer}
          secret={create.data?.secret ?? rotate.data?.secret ?? null}
          error={create.error ?? rotate.error ?? revoke.error}
          is_busy={create.isPending}
          limit={MAX_ACTIVE}
          scopes={TOKEN_SCOPES.map((key) => ({ key, label: SCOPE_WORDS[key] }))}
          onCreate={({ name, scope }, onDone) =>
            create.mutate({ name, scope: scope as (typeof TOKEN_SCOPES)[number] }, { onSuccess: onDone })
          }
          onRotate={(token) => rotate.mutate({ token })}
          onRevoke={async (token) => {
            await revoke.mutateAsync({ token })
          }}
          revoking="Programs that use it are refused from now on."
        />
      </Panel>
    </AccountSettings>
  )
}
