/** Renders an e-mail as plain text and as HTML with the same content. */
import type { MailContent } from './mail-words.ts'

/** The plain text of an e-mail. */
export function mailText({ heading, items, closing }: MailContent): string {
  const listed = items.map(({ title, facts }) =>
    [title, ...facts.map(([label, value]) => `  ${label}: ${value}`)].join('\n'),
  )
  const ending = closing.map((line) => (typeof line === 'string' ? line : `${line.label}: ${line.url}`))
  return `${[heading, ...listed, ending.join('\n')].join('\n\n')}\n`
}

/** The HTML of an e-mail, without images, scripts, style sheets and external resources. */
export function mailHtml({ heading, items, closing }: MailContent): string {
  const listed = items.map(
    ({ title, facts }) =>
      `<h2 style="font-size:1em">${escapeHtml(title)}</h2><table>${facts
        .map(([label, value]) => `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`)
        .join('')}</table>`,
  )
  const ending = closing.map((line) =>
    typeof line === 'string'
      ? `<p>${escapeHtml(line)}</p>`
      : `<p><a href="${escapeHtml(line.url)}">${escapeHtml(line.label)}</a></p>`,
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;max-width:40em">',
    `<h1 style="font-size:1.2em">${escapeHtml(heading)}</h1>`,
    ...listed,
    ...ending,
    '</body></html>',
  ].join('\n')
}

/** Escapes text for HTML and its quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
