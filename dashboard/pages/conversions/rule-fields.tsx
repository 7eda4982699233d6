import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSiteId } from '../../read/use-report.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { type Draft, inForce, newRule, OPERATOR_WORDS, OPERATORS_OF, type Property, type RuleDraft } from './draft.ts'

const MAX_RULES = 8

interface RuleFieldsProps {
  draft: Draft
  properties: readonly Property[]
  set: (change: Partial<Draft>) => void
}

/** Rules about the declared properties of the event, each with the operators that its kind allows. */
export function RuleFields({ draft, properties, set }: RuleFieldsProps) {
  const site = useSiteId()
  const declared = inForce(properties, draft.event_name.trim())
  const unused = declared.filter(({ property_key }) => !draft.rules.some((rule) => rule.property_key === property_key))
  const change = (index: number, rule: RuleDraft | null) =>
    set({ rules: draft.rules.toSpliced(index, 1, ...(rule === null ? [] : [rule])) })
  if (declared.length === 0) {
    return (
      <p className="text-ink2">
        {draft.event_name.trim() === ''
          ? 'Pick an event first.'
          : `No property of ${visibleText(draft.event_name.trim())} is declared, so every such event counts.`}{' '}
        <PageLink to="/sites/$site/conversions/properties" params={{ site }}>
          Declare a property
        </PageLink>
      </p>
    )
  }
  return (
    <div className="space-y-6">
      {draft.rules.map((rule, index) => {
        const property = declared.find(({ property_key }) => property_key === rule.property_key)
        return property === undefined ? null : (
          <RuleRow key={rule.property_key} rule={rule} property={property} onChange={(next) => change(index, next)} />
        )
      })}
      {unused.length > 0 && draft.rules.length < MAX_RULES && (
        <div className="flex flex-wrap gap-4">
          {unused.map((property) => (
            <Button
              key={property.property_key}
              className="max-w-full"
              onClick={() => set({ rules: [...draft.rules, newRule(property)] })}
            >
              <span className="truncate">Add a rule about {visibleText(property.property_key)}</span>
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

interface RuleRowProps {
  rule: RuleDraft
  property: Property
  onChange: (rule: RuleDraft | null) => void
}

function RuleRow({ rule, property, onChange }: RuleRowProps) {
  const key = visibleText(property.property_key)
  return (
    <div className="flex flex-wrap items-end gap-6 border-t border-line pt-6 first:border-t-0 first:pt-0">
      <span className="min-w-60 self-center font-mono text-code">{key}</span>
      <div className="w-80">
        <SelectField
          label={`How ${key} is compared`}
          is_label_hidden
          selected={rule.operator}
          options={OPERATORS_OF[property.scalar_kind].map((operator) => ({
            key: operator,
            label: OPERATOR_WORDS[operator],
          }))}
          onSelect={(operator) => onChange({ ...rule, operator: operator as RuleDraft['operator'] })}
        />
      </div>
      <RuleValue rule={rule} property={property} onChange={onChange} />
      <Button kind="quiet" onClick={() => onChange(null)}>
        Remove<span className="sr-only"> the rule about {key}</span>
      </Button>
    </div>
  )
}

function RuleValue({ rule, property, onChange }: RuleRowProps) {
  if (property.scalar_kind === 'enum') {
    return (
      <fieldset className="flex min-w-0 flex-1 flex-wrap gap-4">
        <legend className="sr-only">Values of {property.property_key}</legend>
        {(property.enum_values ?? []).map((value) => (
          <label key={value} className="control max-w-full cursor-pointer has-checked:border-ink has-checked:bg-sunken">
            <input
              type="checkbox"
              className="accent-ink"
              checked={rule.values.includes(value)}
              onChange={(event) =>
                onChange({
                  ...rule,
                  values: event.target.checked ? [...rule.values, value] : rule.values.filter((one) => one !== value),
                })
              }
            />
            <span className="truncate">{visibleText(value)}</span>
          </label>
        ))}
      </fieldset>
    )
  }
  if (property.scalar_kind === 'boolean') {
    return (
      <div className="w-60">
        <SelectField
          label={`Value of ${property.property_key}`}
          is_label_hidden
          selected={rule.value}
          options={[
            { key: 'true', label: 'true' },
            { key: 'false', label: 'false' },
          ]}
          onSelect={(value) => onChange({ ...rule, value })}
        />
      </div>
    )
  }
  if (rule.operator === 'between') {
    return (
      <div className="flex gap-6">
        <TextField label="From" type="number" value={rule.lower} onChange={(lower) => onChange({ ...rule, lower })} />
        <TextField label="To" type="number" value={rule.upper} onChange={(upper) => onChange({ ...rule, upper })} />
      </div>
    )
  }
  return <TextField label="Value" type="number" value={rule.value} onChange={(value) => onChange({ ...rule, value })} />
}
