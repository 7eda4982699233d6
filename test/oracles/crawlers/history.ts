/** Random histories of a site's crawler evidence: a seed, and always the same events. */
import { decideAuthority, decider, showStatuses } from './authority-owner.ts'
import { type Event, uploadsOf } from './events.ts'
import { decide, mayDeliver, type Owned } from './owner.ts'
import { chance } from './random.ts'
import { deliver, type Sender, sender } from './sender.ts'
import { ask, goOn, HOSTS, letTimePass, START, type Story } from './story.ts'
import { DAY, HOUR, instant } from './time.ts'
import { type Uploader, upload, uploader } from './uploader.ts'

interface Cast {
  senders: Sender[]
  uploaders: Uploader[]
  /** The step in which the second sender is gone for good; time goes on for longer then. */
  until?: number
  /** Its owner says so. */
  retires?: boolean
}

/** Where named servers count together, the specification does not say what leaving one of them out would mean. */
const isOwned = ({ server }: Uploader, { uploaders }: Cast) => server === '' && uploaders.length === 1

/** What a history is about; the seed chooses in turn, so that 50 seeds hold each several times. */
const THEMES: ((story: Story) => Cast)[] = [
  (story) => ({ senders: [join(story, 'web', null)], uploaders: [] }),
  (story) => ({ senders: [join(story, 'web', 'a'), sender(story, 'web', 'b')], uploaders: [] }),
  (story) => ({ senders: [], uploaders: [uploader(story, '')] }),
  (story) => ({ senders: [], uploaders: [uploader(story, 'a'), uploader(story, 'b')] }),
  (story) => ({ senders: [], uploaders: [uploader(story, ''), uploader(story, 'a')] }),
  (story) => ({ senders: [join(story, 'web', null)], uploaders: [uploader(story, '')] }),
  (story) => ({ senders: [join(story, 'web', null), join(story, 'edge', null)], uploaders: [] }),
  (story) => ({
    senders: [join(story, 'web', null, 'all'), join(story, 'edge', null, 'shop.example.com')],
    uploaders: [],
  }),
  (story) => ({ senders: [join(story, 'web', null)], uploaders: [uploader(story, '', 'shop.example.com')] }),
  (story) => ({ senders: [join(story, 'web', 'a')], uploaders: [uploader(story, ''), uploader(story, 'a')] }),
  (story) => ({ senders: [steady(join(story, 'web', 'a')), sender(story, 'web', 'b')], uploaders: [], until: 3 }),
  (story) => ({
    senders: [steady(join(story, 'web', 'a')), sender(story, 'web', 'b')],
    uploaders: [],
    until: 3,
    retires: true,
  }),
  (story) => ({ senders: [lossy(join(story, 'web', null)), lossy(join(story, 'edge', null))], uploaders: [] }),
  (story) => ({
    senders: [lossy(join(story, 'web', null))],
    uploaders: [{ ...uploader(story, ''), is_careless: true }],
  }),
]

const lossy = (sender: Sender): Sender => ({ ...sender, loses: 0.8 })
const steady = (sender: Sender): Sender => ({ ...sender, loses: 0 })

/** Of sites with several sources for the same hosts, whose owner decides who counts. */
const SHARED_HOSTS: ((story: Story) => Cast)[] = [
  (story) => ({ senders: [steady(join(story, 'web', null, 'all')), join(story, 'edge', null)], uploaders: [] }),
  (story) => ({ senders: [steady(join(story, 'web', 'a'))], uploaders: [uploader(story, '')] }),
  (story) => ({
    senders: [steady(join(story, 'web', null, 'all')), steady(join(story, 'edge', null, 'shop.example.com'))],
    uploaders: [],
  }),
  (story) => ({ senders: [join(story, 'web', null), join(story, 'edge', null)], uploaders: [] }),
  (story) => ({ senders: [join(story, 'web', null)], uploaders: [uploader(story, '', 'shop.example.com')] }),
  (story) => ({ senders: [join(story, 'web', 'a')], uploaders: [uploader(story, 'a'), uploader(story, 'b')] }),
  (story) => ({ senders: [lossy(join(story, 'web', null)), steady(join(story, 'edge', null))], uploaders: [] }),
]

/** Seeds from here on are of owners who open and close the authority gate. */
export const AUTHORITY_SEEDS = 101

export function history(seed: number): Event[] {
  const has_authority = seed >= AUTHORITY_SEEDS
  const story: Story = { chance: chance(seed), now: START, events: [], requests: 0, hosts: HOSTS }
  const owner = decider()
  const { chance: random } = story
  goOn(story, random.whole(1, 4) * DAY + random.whole(1, DAY))
  if (random.happens(0.2)) ask(story)
  const themes = has_authority ? SHARED_HOSTS : THEMES
  const theme = themes[seed % themes.length] as (typeof THEMES)[number]
  if (has_authority) story.hosts = HOSTS.slice(0, random.whole(1, 3))
  const cast = theme(story)
  const owned = new Map<string, Owned>()
  const late = cast.until === undefined && cast.senders.length > 1 && random.happens(0.5) ? random.whole(1, 4) : 0
  for (let step = 0; step < (cast.until === undefined ? 9 : 24); step++) {
    cast.senders.forEach((one, index) => {
      if (index > 0 && (step < late || step >= (cast.until ?? step + 1))) return
      if (random.happens(0.15)) return
      const known = owned.get(one.source)
      if (known !== undefined && !mayDeliver(known)) return
      deliver(story, one)
      if (known === undefined && story.events.at(-1)?.do === 'batch') {
        owned.set(one.source, { source: one.source, sender: one, state: 'live' })
      }
      breathe(story)
    })
    for (const one of cast.uploaders) {
      const source = uploadsOf(one.server)
      const known = owned.get(source)
      if (!random.happens(0.6) || (known !== undefined && !mayDeliver(known))) continue
      upload(story, one)
      if (known === undefined && isOwned(one, cast) && story.events.at(-1)?.do === 'upload') {
        owned.set(source, { source, sender: null, state: 'live' })
      }
      breathe(story)
    }
    const gone = cast.senders[1]
    if (cast.retires && step === cast.until && gone?.name && hasDelivered(story, gone.name)) {
      story.events.push({ do: 'retire_sender', source: gone.source, sender: gone.name })
    }
    const decides = has_authority ? step > 1 && random.happens(0.4) : step > 3 && random.happens(0.2)
    if (cast.until === undefined && owned.size > 0 && decides) decide(story, random.one([...owned.values()]))
    if (has_authority && step > 0) decideAuthority(story, owner, reported(story))
    if (random.happens(0.6)) ask(story)
    if (random.happens(0.3)) {
      goOn(story, random.one([20, HOUR, 100, 2 * HOUR - 1, 2 * HOUR, 150]))
      ask(story)
    }
    letTimePass(story)
  }
  ask(story)
  if (has_authority) showStatuses(story.events)
  return story.events
}

/** Sources that have delivered. */
const reported = ({ events }: Story) => [
  ...new Set(
    events.flatMap((event) => {
      if (event.do === 'batch') return [event.source]
      return event.do === 'upload' ? [uploadsOf(event.server)] : []
    }),
  ),
]

const hasDelivered = ({ events }: Story, name: string) =>
  events.some((event) => event.do === 'batch' && event.sender === name)

/** Of two sources connected at one instant the specification does not say which was earlier. */
const breathe = (story: Story) => goOn(story, 1)

/** A new live source with its first sender. */
function join(story: Story, source: string, name: string | null, beats: Sender['beats'] = 'never'): Sender {
  story.events.push({ do: 'connect', source })
  return sender(story, source, name, beats)
}

/** One event per line, with readable instants, for people who have to understand a difference. */
export function print(events: readonly Event[]): string {
  const reported = (_key: string, value: unknown) => (isMinute(value) ? instant(value).slice(5, 16) : value)
  let asked = 0
  return events
    .map((event) => `${event.do === 'ask' ? `answers[${asked++}] ` : ''}${JSON.stringify(event, reported)}`)
    .join('\n')
}

const isMinute = (value: unknown): value is number => typeof value === 'number' && value > START - DAY
