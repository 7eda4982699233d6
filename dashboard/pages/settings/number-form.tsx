import { Button } from '../../controls/button.tsx'
import { TextField } from '../../forms/text-field.tsx'

interface NumberFormProps {
  label: string
  help: string
  value: string
  onChange: (value: string) => void
  /** Why the number is not accepted, and what is allowed. */
  fault: string | undefined
  is_busy: boolean
}

/** One whole number and its button. */
export const NumberForm = ({ label, help, value, onChange, fault, is_busy }: NumberFormProps) => (
  <div className="flex max-w-260 flex-wrap items-end gap-6">
    <div className="grow">
      <TextField label={label} help={help} type="number" value={value} onChange={onChange} fault={fault} is_required />
    </div>
    <Button type="submit" aria-busy={is_busy}>
      Save
    </Button>
  </div>
)
