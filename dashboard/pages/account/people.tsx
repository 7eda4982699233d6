import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SecretOnce } from '../../forms/secret-once.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { InstallationSettings } from '../../settings/account-settings.tsx'
import { NotForYou } from '../../settings/settings-page.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { dayText, instantText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'
import { ACCOUNT_ROLE_WORDS } from '../../words/roles.ts'

type Person = ReadOutput<'user.list'>['users'][number]

/** Who signs in to this installation? */
export default function PeoplePage() {
  const may = useMay()
  const people = useQuery({ ...readQuery('user.list', {}), enabled: may.operate === undefined })
  return (
    <InstallationSettings title="People">
      <Panel title="Add a person">
        <PanelBody>
          <AddPerson forbidden={may.operate} />
        </PanelBody>
      </Panel>
      <Panel title="People">
        {may.operate === undefined ? (
          <Async query={people} skeleton={<SkeletonRows rows={3} height={62} />}>
            {({ users }) => (
              <ul>
                {users.map((person) => (
                  <PersonRow key={person.id} person={person} />
                ))}
              </ul>
            )}
          </Async>
        ) : (
          <NotForYou>Operators see all people. The members of a site are in its settings.</NotForYou>
        )}
      </Panel>
    </InstallationSettings>
  )
}

function AddPerson({ forbidden }: { forbidden: string | undefined }) {
  const [email, setEmail] = useState('')
  const [is_operator, setOperator] = useState(false)
  const add = useChange('user.add', { changes: ['user.list'], onDone: () => setEmail('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ email: email.trim(), is_operator })
  }
  return (
    <div className="space-y-8">
      <form onSubmit={submit} className="space-y-6">
        <div className="max-w-180">
          <TextField label="E-mail" type="email" autoComplete="off" value={email} onChange={setEmail} is_required />
        </div>
        <CheckField
          label="Operator"
          help="Manages the installation itself: sites, people, the crawler registry. Only members see a site’s reports."
          checked={is_operator}
          onChange={setOperator}
          forbidden={forbidden}
        />
        <FormError error={add.error} />
        <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={add.isPending}>
          Add the person
        </Button>
        {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
      </form>
      {add.data !== undefined && <LinkOnce {...add.data} />}
    </div>
  )
}

interface LinkOnceProps {
  email: string | null
  link: string
  link_expires_at: string
}

const LinkOnce = ({ email, link, link_expires_at }: LinkOnceProps) => (
  <div role="status" className="space-y-3">
    <SecretOnce label={`Link for ${email ?? 'the operator'} to choose a password`} secret={link} />
    <p className="text-small text-ink2">
      Send it to them yourself. It works once, until {instantText(link_expires_at)} UTC.
    </p>
  </div>
)

function PersonRow({ person }: { person: Person }) {
  const { data: session } = useQuery(sessionQuery())
  const [is_leaving, setLeaving] = useState(false)
  const changes = ['user.list'] as const
  const link = useChange('user.reset_link', { changes })
  const role = useChange('user.set_account_role', { changes })
  const remove = useChange('user.remove', { changes })
  const is_self = session?.user.id === person.id
  const is_admin = person.account_role === 'admin'
  return (
    <li className="space-y-5 border-t border-line px-8 py-6 max-tablet:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <span className="min-w-0">
          <span className="font-medium">{person.email ?? 'Operator without an e-mail address'}</span>{' '}
          {person.is_operator && <Badge>Operator</Badge>} <Badge>{ACCOUNT_ROLE_WORDS[person.account_role]}</Badge>
          <span className="block text-dense text-ink2">
            {counted(person.sites, 'site')} · here since {dayText(person.created_at.slice(0, 10))}
            {!person.has_password && ' · has not chosen a password yet'}
            {is_self && ' · this is you'}
          </span>
        </span>
        <span className="flex flex-wrap gap-4">
          <Button onClick={() => link.mutate({ user: person.id })}>New link</Button>
          <Button onClick={() => role.mutate({ user: person.id, account_role: is_admin ? 'member' : 'admin' })}>
            {is_admin ? 'Make a member' : 'Make an admin'}
          </Button>
          <Button
            kind="bad"
            forbidden={is_self ? 'Another operator can remove you.' : undefined}
            onClick={() => setLeaving(true)}
          >
            Remove
          </Button>
        </span>
      </div>
      {link.data !== undefined && <LinkOnce {...link.data} />}
      <FormError error={link.error ?? role.error} />
      <ConfirmByTyping
        title={`Remove ${person.email ?? 'this operator'}?`}
        expected={person.email}
        action="Remove the person"
        is_open={is_leaving}
        onClose={() => setLeaving(false)}
        onConfirm={async () => {
          await remove.mutateAsync({ user: person.id })
        }}
      >
        <p>
          They are signed out. Their memberships of {counted(person.sites, 'site')} end, and their keys and tokens are
          revoked.
        </p>
      </ConfirmByTyping>
    </li>
  )
}
