import { CopyButton } from './copy-button.tsx'

/** A command or snippet that is copied. */
export const CodeBlock = ({ text }: { text: string }) => (
  <div className="flex items-start justify-between gap-8 rounded-control bg-sunken p-6">
    <pre className="min-w-0 overflow-x-auto py-3 font-mono text-code whitespace-pre-wrap">{text}</pre>
    <CopyButton text={text} />
  </div>
)
