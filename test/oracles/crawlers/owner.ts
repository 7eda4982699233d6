/** The site's owner, who now and then decides about a source that has delivered. */
import type { Sender } from './sender.ts'
import type { Story } from './story.ts'

export interface Owned {
  source: string
  /** The sender, where it is a live source with a name for it. */
  sender: Sender | null
  state: 'live' | 'off' | 'disconnected' | 'revoked'
}

/** One decision, or one taken back. */
export function decide(story: Story, owned: Owned): void {
  const { chance, events } = story
  const { source, sender } = owned
  if (owned.state === 'off') {
    events.push({ do: 'primary', source, is_primary: true })
    owned.state = 'live'
  } else if (owned.state === 'disconnected') {
    events.push({ do: 'reconnect', source })
    owned.state = 'live'
  } else if (owned.state === 'revoked') {
    events.push({ do: 'token', source })
    owned.state = 'live'
  } else {
    const all = ['off', 'disconnected', ...(sender === null ? [] : ['revoked']), ...(sender?.name ? ['retire'] : [])]
    const what = chance.one(all)
    if (what === 'off') events.push({ do: 'primary', source, is_primary: false })
    if (what === 'disconnected') events.push({ do: 'disconnect', source })
    if (what === 'revoked') events.push({ do: 'revoke', source })
    if (what === 'retire' && sender?.name) events.push({ do: 'retire_sender', source, sender: sender.name })
    else owned.state = what as Owned['state']
  }
}

/** Deliveries of a source that is disconnected or has no token would be refused. */
export const mayDeliver = ({ state }: Owned) => state === 'live' || state === 'off'
