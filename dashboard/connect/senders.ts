/** The senders that docs/senders describes, each document a chunk of its own. */
const documents = import.meta.glob<string>('../../docs/senders/*.md', { query: '?raw', import: 'default' })

const SENDERS = [
  { key: 'nginx-syslog-ng', label: 'nginx and syslog-ng' },
  { key: 'nginx-vector', label: 'nginx and Vector' },
  { key: 'caddy', label: 'Caddy and syslog-ng' },
  { key: 'fluent-bit', label: 'Fluent Bit' },
  { key: 'cloudflare-worker', label: 'Cloudflare Worker' },
  { key: 'cloudflare-logpush', label: 'Cloudflare Logpush' },
  { key: 'vercel', label: 'Vercel' },
  { key: 'fastly', label: 'Fastly' },
  { key: 'cloudfront-akamai', label: 'CloudFront, Akamai' },
] as const

/** A program of one's own; it needs no document. */
export const OWN_SENDER = 'own'
export const SENDER_OPTIONS = [...SENDERS, { key: OWN_SENDER, label: 'Another program, over HTTPS' }]

/** Throws when the document is missing from the build. */
export async function loadSender(key: string): Promise<string> {
  const load = documents[`../../docs/senders/${key}.md`]
  if (load === undefined) throw new Error(`There is no document about the sender ${JSON.stringify(key)}.`)
  return load()
}
