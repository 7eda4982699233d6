import { quoted } from '#foreign-text.ts'
import { readUrl } from '#outgoing/destination.ts'
import { Refusal } from '#refusal.ts'

/** The URL of a webhook by its form alone; where it leads is judged apart. @throws Refusal invalid_input. */
export function readWebhookUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Refusal(
      'invalid_input',
      `${quoted(text)} is not the URL of a webhook: it must begin with https:// or http://, as in https://example.com/alerts.`,
    )
  }
  const url = readUrl(text, ['http', 'https'])
  if (url.hash === '') return url
  throw new Refusal('invalid_input', 'The URL of a webhook has no fragment: leave out # and what follows.')
}
