import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLES, type Role } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { NotForYou } from '../../settings/settings-page.tsx'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { dayText } from '../../words/days.ts'
import { ROLE_ABOUT, ROLE_WORDS } from '../../words/roles.ts'
import { InviteMember } from './invite-member.tsx'
import { SiteSettings } from './site-settings.tsx'

type Member = ReadOutput<'member.list'>['members'][number]

/** Who sees this site, and what may they do? */
export default function MembersPage() {
  const site = useSiteId()
  const role = useSite()?.role
  const may = useMay()
  const members = useQuery({ ...readQuery('member.list', { site }), enabled: may.own === undefined })
  return (
    <SiteSettings title="Members">
      <Panel title="Invite a person">
        <PanelBody>
          <InviteMember site={site} forbidden={may.own} />
        </PanelBody>
      </Panel>
      <Panel title="Members" {...(role === undefined ? {} : { note: `You are ${ROLE_WORDS[role].toLowerCase()}` })}>
        {may.own !== undefined ? (
          <NotForYou>Owners see and change who the members are.</NotForYou>
        ) : (
          <Async query={members} skeleton={<SkeletonRows rows={3} />}>
            {(answer) => <MemberRows members={answer.members} />}
          </Async>
        )}
      </Panel>
      <Panel title="Permissions of each role">
        <PanelBody>
          <dl className="grid gap-x-8 gap-y-3 tablet:grid-cols-[90px_1fr]">
            {ROLES.map((one) => (
              <div key={one} className="contents">
                <dt className="font-medium">{ROLE_WORDS[one]}</dt>
                <dd className="text-ink2">{ROLE_ABOUT[one]}</dd>
              </div>
            ))}
          </dl>
        </PanelBody>
      </Panel>
    </SiteSettings>
  )
}

/** Roles can be changed in place. The service ensures that one owner remains. */
export function MemberRows({ members }: { members: readonly Member[] }) {
  const [leaving, setLeaving] = useState<Member | null>(null)
  const set = useChange('member.set_role', { changes: ['member.list', 'getSession'] })
  const remove = useChange('member.remove', { changes: ['member.list', 'listSiteKeys'] })
  return (
    <>
      <div className="px-8 empty:hidden">{set.error !== null && <FormError error={set.error} />}</div>
      <ul>
        {members.map((member) => (
          <li
            key={member.user_id}
            className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6"
          >
            <span className="min-w-0">
              <span className="font-medium">{member.email ?? 'The operator, without an e-mail address yet'}</span>
              <span className="block text-small text-ink3">member since {dayText(member.created_at.slice(0, 10))}</span>
            </span>
            <span className="flex items-center gap-4">
              <SelectField
                label={`Role of ${member.email ?? 'the operator'}`}
                is_label_hidden
                selected={member.role}
                options={ROLES.map((key) => ({ key, label: ROLE_WORDS[key] }))}
                onSelect={(role) =>
                  role !== member.role && set.mutate({ site: member.site_id, user: member.user_id, role: role as Role })
                }
              />
              <Button kind="bad" onClick={() => setLeaving(member)}>
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <ConfirmByTyping
        title={`Remove ${leaving?.email ?? 'the operator'}?`}
        expected={null}
        action="Remove the member"
        is_open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={async () => {
          if (leaving !== null) await remove.mutateAsync({ site: leaving.site_id, user: leaving.user_id })
        }}
      >
        <p>They and their keys can no longer read this site. If it is their only site, their keys are revoked.</p>
      </ConfirmByTyping>
    </>
  )
}
