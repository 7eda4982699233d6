import { useId, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { CodeBlock } from '../controls/code-block.tsx'
import { CheckField } from '../forms/check-field.tsx'
import { DropZone } from '../forms/drop-zone.tsx'
import { FormError } from '../forms/form-error.tsx'
import { TextField } from '../forms/text-field.tsx'
import type { SessionSite } from '../read/operations.ts'
import type { UploadNotes } from '../read/upload.ts'
import { shortText } from '../words/foreign-text.ts'
import { counted } from '../words/numbers.ts'
import { bytesText } from '../words/receipts.ts'
import { LeaveUploads } from './leave-uploads.tsx'
import { LOG_FORMATS } from './log-formats.ts'
import { ReceiptBlock } from './receipt.tsx'
import { type FileUpload, useUploads } from './use-uploads.ts'

interface UploadLogProps {
  site: SessionSite
  forbidden: string | undefined
  /** The next step, shown below the receipt of the last file. */
  after?: React.ReactNode
}

/** Uploads of log files, each with its progress and then its receipt. */
export function UploadLog({ site, forbidden, after }: UploadLogProps) {
  const [notes, setNotes] = useState<UploadNotes>({})
  const { uploads, add, retry, is_sending } = useUploads(site.id, notes)
  const is_done = !is_sending && uploads.some(({ state }) => state === 'done')
  return (
    <div className="space-y-8">
      <LeaveUploads is_sending={is_sending} waiting={uploads.filter(({ state }) => state === 'waiting').length} />
      <DropZone
        title={uploads.length === 0 ? 'Drop log files here' : 'Drop more log files here'}
        note="Any mix of formats; plain, gzip or zstd. People are counted in the receipt and not stored."
        forbidden={forbidden}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <ul className="space-y-8" aria-label="Uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} onRetry={() => retry(upload.key)} />
          ))}
        </ul>
      )}
      {is_done && after}
      <Notes notes={notes} onChange={setNotes} root_domain={site.root_domain} />
      <div className="space-y-3">
        <p className="text-dense text-ink2">Or from the server that holds them</p>
        <CodeBlock text={`npx spoor import /var/log/nginx/access.log* --site ${site.root_domain}`} />
      </div>
      <p className="text-dense text-ink2">Uploading the same lines again changes nothing.</p>
      <details className="text-dense text-ink2">
        <summary>Which logs can be read</summary>
        <p className="mt-3">
          The format of each line is detected: {LOG_FORMATS.join(', ')}. Lines without a user agent (common format)
          cannot show crawlers and are refused.
        </p>
      </details>
    </div>
  )
}

function UploadRow({ upload, onRetry }: { upload: FileUpload; onRetry: () => void }) {
  const { file, state, receipt, error } = upload
  return (
    <li className="space-y-4 rounded-control border border-line p-7">
      <p className="flex flex-wrap justify-between gap-x-8 text-dense">
        <span className="min-w-0 font-mono text-code">{shortText(file.name)}</span>
        <span className="text-ink2">{bytesText(file.size)}</span>
      </p>
      {(state === 'waiting' || state === 'sending') && <UploadBar upload={upload} />}
      {error !== null && (
        <div className="flex flex-wrap items-center gap-6">
          <FormError error={error} />
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
      {receipt !== null && <ReceiptBlock receipt={receipt} />}
    </li>
  )
}

/** Bytes and lines as the service counts them. */
export function UploadBar({
  upload: { file, progress, state },
}: {
  upload: Pick<FileUpload, 'file' | 'progress' | 'state'>
}) {
  const id = useId()
  return (
    <div className="space-y-2">
      <progress
        aria-labelledby={id}
        className="progress"
        max={Math.max(1, file.size)}
        {...(progress === null ? {} : { value: progress.bytes })}
      />
      <p id={id} className="text-small text-ink2">
        {state === 'waiting' ? 'Waiting for the file before it' : progressWords(progress, file.size)}
      </p>
    </div>
  )
}

function progressWords(progress: FileUpload['progress'], size: number): string {
  if (progress === null) return 'Sending'
  if (progress.waits) return 'Waiting for another import of this installation'
  return `Read ${bytesText(progress.bytes)} of ${bytesText(size)}, ${counted(progress.lines, 'line')}`
}

interface NotesProps {
  notes: UploadNotes
  onChange: (notes: UploadNotes) => void
  root_domain: string
}

/** Facts that the lines do not contain. They apply to the files that are added afterwards. */
function Notes({ notes, onChange, root_domain }: NotesProps) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const set = (change: UploadNotes) => onChange({ ...notes, ...change })
  const setDays = (first: string, last: string) => {
    setFrom(first)
    setTo(last)
    set({ covers: first === '' && last === '' ? '' : `${first}/${last}` })
  }
  return (
    <details>
      <summary className="text-dense font-medium">Host, time zone, days covered</summary>
      <div className="mt-6 grid gap-8 tablet:grid-cols-2">
        <TextField
          label="Host for lines without one"
          help={`If empty: ${root_domain}. With a host, the log covers that host only.`}
          value={notes.host ?? ''}
          onChange={(host) => set({ host })}
          is_mono
        />
        <TextField
          label="Time zone for times without one"
          help="For example Europe/Berlin. If empty: UTC."
          value={notes.timezone ?? ''}
          onChange={(timezone) => set({ timezone })}
          is_mono
        />
        <TextField
          label="Covers from (UTC day)"
          type="date"
          value={from}
          onChange={(day) => setDays(day, to)}
          help="Only if the log contains every request of these days. Days without requests then count as zero."
        />
        <TextField
          label="Covers to (UTC day that has ended)"
          type="date"
          value={to}
          onChange={(day) => setDays(from, day)}
        />
        <TextField
          label="Server that wrote it"
          help="Where several servers write logs of the same hosts, give each a name."
          value={notes.server ?? ''}
          onChange={(server) => set({ server })}
          is_mono
        />
        <CheckField
          label="This log is incomplete"
          help="Its time is then watched in part."
          checked={notes.partial ?? false}
          onChange={(partial) => set({ partial })}
        />
      </div>
    </details>
  )
}
