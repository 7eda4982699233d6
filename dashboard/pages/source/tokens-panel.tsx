import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { SecretList } from '../../settings/secret-list.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Panel } from '../../states/panel.tsx'

/** Tokens with which senders deliver to this source; they read nothing. */
export function TokensPanel({ source }: { source: string }) {
  const may = useMay()
  const tokens = useQuery({ ...readQuery('source.token_list', { source }), enabled: may.own === undefined })
  const create = useChange('source.token_create', { changes: ['source.token_list', 'source.list'] })
  const revoke = useChange('source.token_revoke', { changes: ['source.token_list', 'source.list'] })
  return (
    <Panel title="Tokens" note="They can deliver to this source and read nothing">
      <SecretList
        what="token"
        query={tokens}
        rows={(answer) => answer.tokens.map((token) => ({ ...token, about: null }))}
        forbidden={may.own}
        secret={create.data?.secret ?? null}
        error={create.error ?? revoke.error}
        is_busy={create.isPending}
        onCreate={({ name }, onDone) => create.mutate({ source, name }, { onSuccess: onDone })}
        onRevoke={async (id) => {
          await revoke.mutateAsync({ token: id })
        }}
        revoking="Deliveries with it are refused from now on. What it delivered is kept."
      />
    </Panel>
  )
}
