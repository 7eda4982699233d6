import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { AccountSettings } from '../../settings/account-settings.tsx'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { browserWords } from '../../words/browsers.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { NO_PASSWORD_YET } from '../../words/no-password.ts'
import { counted } from '../../words/numbers.ts'
import { ACCOUNT_ROLE_WORDS, ROLE_WORDS } from '../../words/roles.ts'
import { ChangePassword } from './change-password.tsx'

/** Who am I here, and where am I signed in? */
export default function ProfilePage() {
  const session = useQuery(sessionQuery())
  const sessions = useQuery(readQuery('listSessions', {}))
  return (
    <AccountSettings title="Profile">
      <Panel title="You">
        <PanelBody>
          <Async query={session} skeleton={<SkeletonRows rows={2} />}>
            {({ user, installation_role, account, sites }) => (
              <dl className="grid gap-x-8 gap-y-3 tablet:grid-cols-[160px_1fr] [&_dt]:text-ink3">
                <dt>E-mail</dt>
                <dd>{user.email ?? 'none yet'}</dd>
                <dt>Account</dt>
                <dd>
                  {account.name}, as {ACCOUNT_ROLE_WORDS[user.account_role].toLowerCase()}
                </dd>
                <dt>Installation</dt>
                <dd>{installation_role === 'operator' ? 'Operator: manages it' : 'Not an operator'}</dd>
                <dt>Sites</dt>
                <dd>
                  {sites.length === 0
                    ? 'none'
                    : sites
                        .map(({ root_domain, role }) => `${root_domain} (${ROLE_WORDS[role].toLowerCase()})`)
                        .join(', ')}
                </dd>
              </dl>
            )}
          </Async>
        </PanelBody>
      </Panel>
      <Panel title="Password">
        <PanelBody>
          {session.data?.user.email === null ? (
            <p className="max-w-400 text-ink2">{NO_PASSWORD_YET}</p>
          ) : (
            <ChangePassword email={session.data?.user.email ?? null} />
          )}
        </PanelBody>
      </Panel>
      <Panel title="Where you are signed in">
        <Async query={sessions} skeleton={<SkeletonRows rows={2} height={62} />}>
          {(answer) => <Sessions sessions={answer.sessions} />}
        </Async>
      </Panel>
    </AccountSettings>
  )
}

function Sessions({ sessions }: { sessions: ReadOutput<'listSessions'>['sessions'] }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [is_confirming, setConfirming] = useState(false)
  const end = useChange('signOutEverywhere', {
    onDone: async ({ ended_sessions }) => {
      queries.clear()
      announce(`Signed out of ${counted(ended_sessions, 'browser')}.`)
      await navigate({ to: '/sign-in' } as never)
    },
  })
  return (
    <>
      <ul>
        {sessions.map(({ id, user_agent, created_at, last_used_at, is_current }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-5 max-tablet:px-6"
          >
            <span>
              <span className="font-medium" title={user_agent === null ? undefined : visibleText(user_agent)}>
                {browserWords(user_agent)}
              </span>
              <span className="block text-small text-ink3">
                signed in {instantText(created_at)} UTC · last used {instantText(last_used_at)} UTC
              </span>
            </span>
            {is_current && <Badge tone="ok">This browser</Badge>}
          </li>
        ))}
      </ul>
      <div className="border-t border-line px-8 py-6 max-tablet:px-6">
        <Button kind="bad" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmByTyping
        title="Sign out everywhere?"
        expected={null}
        action="Sign out everywhere"
        is_open={is_confirming}
        onClose={() => setConfirming(false)}
        onConfirm={async () => {
          await end.mutateAsync({})
        }}
      >
        <p>All {counted(sessions.length, 'session')} end, including this browser’s. Your password does not change.</p>
      </ConfirmByTyping>
    </>
  )
}
