/** Maximum length of the part of a slug that comes from the name. The whole slug has up to 64 characters (rules 6). */
const MAX_PART_LENGTH = 31

/** The slug of a funnel: its first name in a-z and 0-9, `-`, and its id without dashes (spec 2.6, rules 6). */
export function funnelSlug(name: string, funnel_id: string): string {
  return `${slugPart(name)}-${funnel_id.replaceAll('-', '')}`
}

function slugPart(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const part = plain.length > MAX_PART_LENGTH ? cutAtWord(plain) : plain
  return part === '' ? 'funnel' : part
}

function cutAtWord(plain: string): string {
  const end = plain.lastIndexOf('-', MAX_PART_LENGTH)
  return plain.slice(0, end > 0 ? end : MAX_PART_LENGTH)
}
