import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'

interface DropZoneProps {
  title: string
  note: ReactNode
  onFiles: (files: File[]) => void
  forbidden?: string | undefined
}

/** Takes files that are dropped on it, or chosen with its button. */
export function DropZone({ title, note, onFiles, forbidden }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [is_over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (forbidden === undefined) give([...event.dataTransfer.files])
  }
  const give = (files: File[]) => files.length > 0 && onFiles(files)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboards
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-4 rounded-control border border-dashed px-8 py-12 text-center ${
        is_over ? 'border-ink bg-sunken' : 'border-control'
      }`}
    >
      <p className="text-title font-strong">{title}</p>
      <p className="max-w-280 text-dense text-ink2">{note}</p>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={title}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          give([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button kind="primary" forbidden={forbidden} className="mt-4" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
    </div>
  )
}
