import { useId } from 'react'

interface RadioCardsProps<Key extends string> {
  label: string
  options: readonly { key: Key; title: string; text: string }[]
  chosen: Key
  onChoose: (key: Key) => void
}

/** One of a few options, each with a description. The chosen one opens below. */
export function RadioCards<Key extends string>({ label, options, chosen, onChoose }: RadioCardsProps<Key>) {
  const name = useId()
  return (
    <fieldset className="grid gap-6 tablet:grid-cols-3">
      <legend className="sr-only">{label}</legend>
      {options.map(({ key, title, text }) => (
        <label
          key={key}
          className="panel flex cursor-pointer items-start justify-between gap-6 px-7 py-6 has-checked:border-ink has-checked:shadow-[0_0_0_1px_var(--color-ink)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <span>
            <span className="block font-strong">{title}</span>
            <span className="block text-dense text-ink2">{text}</span>
          </span>
          <input
            type="radio"
            name={name}
            checked={key === chosen}
            onChange={() => onChoose(key)}
            className="mt-1 h-8 w-8 shrink-0 accent-ink outline-none"
          />
        </label>
      ))}
    </fieldset>
  )
}
