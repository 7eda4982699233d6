import { useState } from 'react'
import { ModalDialog } from '../forms/dialog.tsx'
import { announce } from './announce.tsx'
import { areKeysOn, KEY_WORDS, switchKeys } from './keys.ts'

/** All keys, and the switch that turns the single ones off. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const [is_on, setOn] = useState(areKeysOn)
  const toggle = () => {
    try {
      switchKeys(!is_on)
      setOn(!is_on)
    } catch {
      announce('This browser does not allow this page to store anything, so the choice cannot be kept.')
    }
  }
  return (
    <ModalDialog title="Keys" is_open onClose={onClose}>
      <dl className="mb-8">
        {KEY_WORDS.map(([keys, words]) => (
          <div key={keys} className="flex gap-8 border-t border-line py-4 first:border-t-0">
            <dt className="w-64 shrink-0 font-mono text-code">{keys}</dt>
            <dd className="text-ink2">{words}</dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-12 items-center gap-4">
        <input type="checkbox" checked={is_on} onChange={toggle} className="h-8 w-8" />
        Enable single-key shortcuts
      </label>
      {!is_on && <p className="text-small text-ink2">Find, “Keys” opens this list again.</p>}
    </ModalDialog>
  )
}
