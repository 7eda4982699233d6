import { TextArea } from '../forms/text-area.tsx'
import { TextField } from '../forms/text-field.tsx'

/** Lists as they are typed: one entry a line. */
export interface TypedNames {
  name: string
  aliases: string
  domains: string
}

export const NO_NAMES: TypedNames = { name: '', aliases: '', domains: '' }

const listOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const namesOf = ({ name, aliases, domains }: TypedNames) => ({
  name: name.trim(),
  aliases: listOf(aliases),
  domains: listOf(domains),
})

interface NameFieldsProps {
  typed: TypedNames
  onChange: (typed: TypedNames) => void
}

/** What answers are searched for: a name, its other spellings, and domains. */
export const NameFields = ({ typed, onChange }: NameFieldsProps) => (
  <>
    <TextField label="Name" value={typed.name} onChange={(name) => onChange({ ...typed, name })} />
    <div className="grid gap-8 tablet:grid-cols-2">
      <TextArea
        label="Other names, one a line"
        help="Spellings, products and former names under which answers may mention it."
        rows={3}
        value={typed.aliases}
        onChange={(aliases) => onChange({ ...typed, aliases })}
      />
      <TextArea
        label="Domains, one a line"
        help="Citations of these and of what is below them count as its own."
        rows={3}
        is_mono
        value={typed.domains}
        onChange={(domains) => onChange({ ...typed, domains })}
      />
    </div>
  </>
)
