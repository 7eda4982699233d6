import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../controls/code-block.tsx'
import { SelectField } from '../forms/select.tsx'
import { Async, SkeletonBox } from '../states/async.tsx'
import { type CommandFilling, heartbeatCommand, trialCommand } from './sender-commands.ts'
import { type Block, blocksOf } from './sender-text.ts'
import { loadSender, OWN_SENDER, SENDER_OPTIONS, senderName } from './senders.ts'

interface SenderGuideProps extends CommandFilling {
  root_domain: string
}

/** Instructions for one sender, with all values filled in that the page has. */
export function SenderGuide({ root_domain, ...filling }: SenderGuideProps) {
  const { address, token } = filling
  const [sender, setSender] = useState<string>('nginx-syslog-ng')
  const text = useQuery({
    queryKey: ['sender-document', sender],
    queryFn: () => loadSender(sender),
    enabled: sender !== OWN_SENDER,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className="space-y-8">
      <div className="max-w-160">
        <SelectField label="What sends the logs?" selected={sender} options={SENDER_OPTIONS} onSelect={setSender} />
      </div>
      {sender === OWN_SENDER ? (
        <Blocks
          blocks={[
            { kind: 'text', text: `${OWN_TEXT} ${TRIAL_COUNTS}` },
            { kind: 'code', text: trialCommand(filling, senderName(sender)) },
          ]}
        />
      ) : (
        <Async query={text} skeleton={<SkeletonBox height={160} />}>
          {(markdown) => <Blocks blocks={blocksOf(markdown, { address, token, root_domain })} />}
        </Async>
      )}
      {sender !== OWN_SENDER && (
        <details>
          <summary className="text-dense font-medium">First test the connection: send one record by hand</summary>
          <p className="mt-4 text-ink2">{TRIAL_COUNTS}</p>
          <div className="mt-4">
            <CodeBlock text={trialCommand(filling, senderName(sender))} />
          </div>
        </details>
      )}
      <details>
        <summary className="text-dense font-medium">Quiet hosts: send a heartbeat</summary>
        <p className="mt-4 text-ink2">
          A pause is not covered if it is longer than 15 minutes and longer than every pause of the last 7 days. A
          heartbeat proves that there were no requests. Send it only when the sender’s buffer is empty.
        </p>
        <div className="mt-4">
          <CodeBlock text={heartbeatCommand(filling, senderName(sender))} />
        </div>
      </details>
    </div>
  )
}

const OWN_TEXT =
  'Post every request, one JSON object per line, including human requests: they are counted and dropped, and prove that the time is covered.'

const TRIAL_COUNTS = 'This record names GPTBot, and counts as one request of GPTBot.'

const Blocks = ({ blocks }: { blocks: readonly Block[] }) => (
  <div className="space-y-6">
    {blocks.map((block, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document do not move
      <BlockText key={index} block={block} />
    ))}
  </div>
)

function BlockText({ block }: { block: Block }) {
  if (block.kind === 'code') return <CodeBlock text={block.text} />
  if (block.kind === 'text') return <p className="max-w-400 text-ink2">{block.text}</p>
  return (
    <dl className="max-w-400 text-dense">
      {block.rows.map(([name, text]) => (
        <div key={`${name}${text}`} className="grid gap-x-8 border-t border-line py-3 tablet:grid-cols-[180px_1fr]">
          <dt className="text-ink3">{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
