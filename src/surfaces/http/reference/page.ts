/** The API reference as one HTML page without scripts, drawn from the OpenAPI documents served beside it. */
import { type Html, html } from './html.ts'
import { renderSchema, renderType, type Schema } from './schema.ts'

interface Answer {
  $ref?: string
  description?: string
  content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>>
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

interface DocumentedOperation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: Answer
  responses: Readonly<Record<string, Answer>>
  deprecated?: boolean
}

export interface ReferenceDocument {
  info: { title: string; version: string; description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  components: {
    securitySchemes: { bearer: { description: string } }
    responses: Readonly<Record<string, Answer>>
    schemas: Readonly<Record<string, Schema>>
  }
}

interface Listed {
  method: string
  path: string
  operation: DocumentedOperation
}

/** A document and where it is served. */
interface ServedDocument {
  url: string
  document: ReferenceDocument
}

/** Draws the page of all documents; `style_url` is where its style sheet is served. */
export function renderReference(served: readonly ServedDocument[], style_url: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spoor: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style_url}">
</head>
<body>
<nav aria-label="Operations">
${served.map(renderNavigation)}
</nav>
<main>
${served.map(renderDocument)}
</main>
</body>
</html>
`
  return page.text
}

function renderNavigation({ document }: ServedDocument): Html {
  const of = listOperations(document)
  return html`<strong>${document.info.title}</strong>
${document.tags.map(
  ({ name }) =>
    html`<strong>${name}</strong><ul>${of(name).map(
      ({ operation: { operationId } }) => html`<li><a href="#${operationId}">${operationId}</a></li>`,
    )}</ul>`,
)}
<strong>Schemas</strong><ul>${Object.keys(document.components.schemas).map(
    (name) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul>`
}

function renderDocument({ url, document }: ServedDocument): Html {
  const { info, tags, components } = document
  const of = listOperations(document)
  return html`<h1>${info.title} ${info.version}</h1>
<p>${info.description}</p>
<p>Machine-readable: <a href="${url}">${url}</a> (OpenAPI 3.1). Every operation takes a bearer:
${components.securitySchemes.bearer.description}</p>
${tags.map(
  ({ name, description }) =>
    html`<h2>${name}</h2><p>${description}</p>${of(name).map((each) => renderOperation(each, document))}`,
)}
<h2>Schemas of the ${info.title}</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="schema-${name}"><h3>${name}</h3>${renderSchema(schema)}</section>`,
)}`
}

/** The operations of a tag. */
function listOperations(document: ReferenceDocument): (tag: string) => Listed[] {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  return (tag) => listed.filter(({ operation }) => operation.tags.includes(tag))
}

function renderOperation({ method, path, operation }: Listed, document: ReferenceDocument): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<section id="${operationId}">
<h3>${operationId}${operation.deprecated === true ? ' (deprecated)' : ''}</h3>
<p><span class="method">${method}</span> <code>${path}</code></p>
<p>${summary}${description === undefined ? '' : `. ${description}`}</p>
<pre>${curlOf(method, path, requestBody !== undefined)}</pre>
${parameters.length === 0 ? '' : renderParameters(parameters)}
${requestBody === undefined ? '' : html`<h4>Request body</h4>${renderContent(requestBody)}`}
<h4>Answers</h4>
${Object.entries(responses).map(([status, answer]) => {
  const resolved = resolveAnswer(answer, document)
  const open = status.startsWith('2') ? 'open' : ''
  return html`<details ${open}><summary><strong>${status}</strong> ${resolved.description ?? ''}</summary>${renderContent(resolved)}</details>`
})}
</section>`
}

function renderParameters(parameters: readonly Parameter[]): Html {
  const row = ({ name, in: place, required, description, schema }: Parameter) => html`<tr>
    <td><code>${name}</code> (${place}${required ? '' : ', optional'})</td>
    <td>${renderType(schema)}${schema.default === undefined ? '' : html`; default <code>${String(schema.default)}</code>`}${
      description === undefined ? '' : `. ${description}`
    }</td></tr>`
  return html`<h4>Parameters</h4><table><tr><th>Name</th><th>Value</th></tr>${parameters.map(row)}</table>`
}

function renderContent({ content = {} }: Answer): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<p><code>${type}</code></p>${schema === undefined ? '' : renderSchema(schema)}${renderExample(example)}`,
  )}`
}

/** A real answer of the demo, folded away because it is long. */
function renderExample(example: unknown): Html {
  if (example === undefined) return html``
  return html`<details><summary>Example: an answer of the demo</summary><pre>${JSON.stringify(example, null, 2)}</pre></details>`
}

function resolveAnswer(answer: Answer, { components }: ReferenceDocument): Answer {
  if (answer.$ref === undefined) return answer
  const name = answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)
  const found = components.responses[name]
  if (found === undefined) throw new Error(`The OpenAPI document has no response ${name}.`)
  return found
}

function curlOf(method: string, path: string, has_body: boolean): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'site' ? 'example.com' : name.toUpperCase(),
  )
  const body = has_body ? ` --json '{…}'` : ''
  return `curl -H "Authorization: Bearer $SPOOR_KEY"${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}${body} "$SPOOR_URL${url}"`
}
