import { Compile } from 'typebox/compile'
import { Refusal } from '#refusal.ts'
import { RegistryDocument, type RegistryEntry } from './document.ts'
import { isVersion } from './version.ts'

const shape = Compile(RegistryDocument)

/**
 * Checks that a parsed JSON value is a crawler registry, and returns it unchanged.
 * @throws Refusal invalid_input, which names the entry and the remedy: a malformed field, a version that is not
 * `YYYY-MM-DD.n`, an id or a token that occurs twice, tokens that contradict robots_only, a purpose without the
 * vendor's page (decisions 3.3).
 */
export function readRegistry(json: unknown): RegistryDocument {
  if (!shape.Check(json)) return refuse(describeShapeError(json))
  if (!isVersion(json.version)) return refuse(`Its version ${json.version} names a day that does not exist.`)
  if (json.entries.length === 0) return refuse('It has no entries, so that no crawler would have a label.')
  const ids = new Set<string>()
  const owners = new Map<string, string>()
  for (const entry of json.entries) {
    if (ids.has(entry.crawler_id)) refuse(`The crawler_id ${entry.crawler_id} occurs twice; keep one entry.`)
    ids.add(entry.crawler_id)
    checkTokens(entry, owners)
    checkPurpose(entry)
  }
  return json
}

function refuse(reason: string): never {
  throw new Refusal('invalid_input', `The crawler registry is not valid and was not loaded. ${reason}`)
}

function describeShapeError(json: unknown): string {
  const errors = shape.Errors(json)
  const error = errors.find(({ keyword }) => keyword !== 'anyOf') ?? errors[0]
  if (error === undefined) return 'It does not have the shape of a registry.'
  const place = describePlace(json, error.instancePath)
  if (error.keyword === 'boolean') return `${place} is not a field of a registry; remove it.`
  const allowed = error.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : ''
  return `${place} ${error.message}${allowed}.`
}

/** `/entries/7/purpose` as "Entry examplebot: purpose", which is easier to find than the eighth entry. */
function describePlace(json: unknown, instancePath: string): string {
  const [, list, index, ...field] = instancePath.split('/')
  if (list !== 'entries' || index === undefined) return instancePath === '' ? 'The document' : instancePath.slice(1)
  const entry: unknown = Object(Object(json).entries)[index]
  const id: unknown = Object(entry).crawler_id
  const name = typeof id === 'string' ? `Entry ${id}` : `Entry number ${Number(index) + 1}`
  return field.length === 0 ? name : `${name}: ${field.join('/')}`
}

function checkTokens(entry: RegistryEntry, owners: Map<string, string>): void {
  const id = entry.crawler_id
  if (entry.robots_only && entry.user_agent_tokens.length > 0) {
    refuse(
      `Entry ${id} is robots_only, so no request has it: remove its user_agent_tokens or set robots_only to false.`,
    )
  }
  if (entry.robots_only && entry.robots_token === null) refuse(`Entry ${id} is robots_only: give it a robots_token.`)
  if (!entry.robots_only && entry.user_agent_tokens.length === 0 && entry.verification.signature_agent === null) {
    refuse(`Entry ${id} can never be recognised: give it user_agent_tokens or a signature_agent, or set robots_only.`)
  }
  for (const token of entry.user_agent_tokens) {
    const owner = owners.get(token.toLowerCase())
    if (owner !== undefined) refuse(`The token ${token} belongs to ${owner} and to ${id}; remove it from one of them.`)
    owners.set(token.toLowerCase(), id)
  }
}

function checkPurpose(entry: RegistryEntry): void {
  if (entry.purpose === 'unknown') return
  const remedy = 'give the purpose_source of the vendor page that declares it, or set purpose to unknown'
  if (entry.purpose_source === null) refuse(`Entry ${entry.crawler_id} has the purpose ${entry.purpose}: ${remedy}.`)
  if (entry.purpose_source.evidence === 'vendor_page_paraphrased_by_reviewer') {
    refuse(`Entry ${entry.crawler_id} has the purpose ${entry.purpose} only from a reviewer's summary: ${remedy}.`)
  }
}
