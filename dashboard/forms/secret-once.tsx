import { CopyButton } from '../controls/copy-button.tsx'

/** A secret that the service shows once and keeps only as a hash. */
export const SecretOnce = ({ label, secret }: { label: string; secret: string }) => (
  <div className="space-y-3">
    <p className="text-dense font-medium">{label}</p>
    <div className="flex items-center gap-6 rounded-control bg-sunken p-6">
      <code className="min-w-0 flex-1 font-mono text-code break-all select-all">{secret}</code>
      <CopyButton text={secret} />
    </div>
    <p className="text-small text-ink2">It is shown once. Store it now: it cannot be shown again.</p>
  </div>
)
