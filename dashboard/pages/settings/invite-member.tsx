import { type FormEvent, useState } from 'react'
import { ROLES, type Role } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SecretOnce } from '../../forms/secret-once.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { instantText } from '../../words/days.ts'
import { ROLE_WORDS } from '../../words/roles.ts'

/** Makes a person a member. A new person gets a link, which is shown once. */
export function InviteMember({ site, forbidden }: { site: string; forbidden: string | undefined }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const invite = useChange('inviteMember', { changes: ['member.list'], onDone: () => setEmail('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate({ site, email: email.trim(), role })
  }
  return (
    <div className="space-y-8">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-6">
        <div className="w-140 max-w-full">
          <TextField label="E-mail" type="email" autoComplete="off" value={email} onChange={setEmail} is_required />
        </div>
        <div className="w-70">
          <SelectField
            label="Role"
            selected={role}
            options={ROLES.map((key) => ({ key, label: ROLE_WORDS[key] })).toReversed()}
            onSelect={(key) => setRole(key as Role)}
          />
        </div>
        <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={invite.isPending}>
          Invite
        </Button>
      </form>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
      <FormError error={invite.error} />
      {invite.data !== undefined && <Invited invited={invite.data} />}
    </div>
  )
}

export const Invited = ({ invited }: { invited: ReadOutput<'inviteMember'> }) =>
  invited.link === null ? (
    <p role="status">
      {invited.email} has a password already, and is {ROLE_WORDS[invited.role].toLowerCase()} of this site now.
    </p>
  ) : (
    <div role="status" className="space-y-3">
      <SecretOnce label={`Link for ${invited.email} to choose a password`} secret={invited.link} />
      <p className="text-small text-ink2">
        Send it to them yourself. It works once
        {invited.link_expires_at !== null && `, until ${instantText(invited.link_expires_at)} UTC`}.
      </p>
    </div>
  )
