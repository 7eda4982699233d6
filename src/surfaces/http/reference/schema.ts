/** What a schema of the OpenAPI document allows, as HTML. */
import { type Html, html } from './html.ts'

/** The parts of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string
  type?: string
  title?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** A schema in a line, and below it the fields of every object in it that has no name of its own. */
export function renderSchema(schema: Schema): Html {
  const words = schema.description === undefined ? '' : `. ${schema.description}`
  return html`<p>${renderType(schema)}${words}</p>${renderObjects(schema)}`
}

/** In a few words: the kind of value and its bounds. */
export function renderType(schema: Schema): Html {
  if (schema.$ref !== undefined) return renderReference(schema.$ref)
  const { anyOf, items } = schema
  if (anyOf !== undefined) return joined(anyOf.map(renderType), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) {
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ', ',
    )
  }
  if (items !== undefined) return html`array of ${renderType(items)}${bounds(schema)}`
  return html`${schema.type ?? 'any value'}${schema.format === undefined ? '' : ` (${schema.format})`}${bounds(schema)}`
}

function renderReference(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return html`<a href="#schema-${name}">${name}</a>`
}

function bounds(schema: Schema): Html {
  const range = (low: number | undefined, high: number | undefined, of?: string) => {
    const counted = (count: number) => (of === undefined ? `${count}` : `${count} ${of}${count === 1 ? '' : 's'}`)
    if (low === undefined && high === undefined) return []
    const most = high === undefined || high === Number.MAX_SAFE_INTEGER ? undefined : high
    if (most === undefined) return low === undefined ? [] : [`at least ${counted(low)}`]
    return [low === undefined ? `at most ${counted(most)}` : `${low} to ${counted(most)}`]
  }
  const said = [
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minLength, schema.maxLength, 'character'),
    ...range(schema.minItems, schema.maxItems, 'item'),
  ]
  const pattern = schema.pattern === undefined ? html`` : html`, matches <code>${schema.pattern}</code>`
  return html`${said.length === 0 ? '' : `, ${said.join(', ')}`}${pattern}`
}

function renderObjects(schema: Schema): Html {
  const inner = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
  if (schema.properties === undefined) return html`${inner.filter(hasFields).map(renderObjects)}`
  const required = schema.required ?? []
  const row = ([name, field]: [string, Schema]) => html`<tr>
    <td><code>${name}</code>${required.includes(name) ? '' : ' (optional)'}</td>
    <td>${renderType(field)}${field.description === undefined ? '' : `. ${field.description}`}${
      hasFields(field) ? html`<details><summary>fields</summary>${renderObjects(field)}</details>` : ''
    }</td></tr>`
  return html`<table><tr><th>Field</th><th>Value</th></tr>${Object.entries(schema.properties).map(row)}</table>`
}

function hasFields(schema: Schema): boolean {
  if (schema.properties !== undefined) return true
  return [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].some(hasFields)
}

function joined(parts: readonly Html[], by: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${by}${part}`))}`
}
