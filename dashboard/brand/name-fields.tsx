import { TextArea } from '../forms/text-area.tsx'
import { TextField } from '../forms/text-field.tsx'
import type { TypedNames } from './typed-names.ts'

interface NameFieldsProps {
  typed: TypedNames
  onChange: (typed: TypedNames) => void
}

/** The fields for the names that answers are searched for: a name, its other spellings, and domains. */
export const NameFields = ({ typed, onChange }: NameFieldsProps) => (
  <>
    <TextField label="Name" value={typed.name} onChange={(name) => onChange({ ...typed, name })} is_required />
    <div className="grid gap-8 tablet:grid-cols-2">
      <TextArea
        label="Other names, one per line"
        help="Other spellings, products and former names that answers may use for it."
        rows={3}
        value={typed.aliases}
        onChange={(aliases) => onChange({ ...typed, aliases })}
      />
      <TextArea
        label="Domains, one per line"
        help="Citations of these domains and their subdomains count as its own."
        rows={3}
        is_mono
        value={typed.domains}
        onChange={(domains) => onChange({ ...typed, domains })}
      />
      <TextArea
        label="Exact other names, one per line"
        help="They count only in this upper and lower case: ACM counts, acm does not."
        rows={2}
        value={typed.exact_aliases}
        onChange={(exact_aliases) => onChange({ ...typed, exact_aliases })}
      />
      <TextArea
        label="Ambiguous other names, one per line"
        help="“Apex = Munich, Bavaria”: Apex counts only if the answer also contains one of these words or one of the domains."
        rows={2}
        value={typed.company_aliases}
        onChange={(company_aliases) => onChange({ ...typed, company_aliases })}
      />
    </div>
  </>
)
