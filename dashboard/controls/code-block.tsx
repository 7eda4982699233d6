import { CopyButton } from './copy-button.tsx'

/** A command or snippet with a copy button. */
export const CodeBlock = ({ text }: { text: string }) => (
  <div className="flow-root rounded-control bg-sunken p-6">
    {/* Lines below the button take the whole width. */}
    <span className="float-right mb-4 ml-8">
      <CopyButton text={text} />
    </span>
    <pre className="overflow-visible py-3 font-mono text-code [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</pre>
  </div>
)
