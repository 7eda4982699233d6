/** Text into HTML: every hole is escaped unless it is HTML itself. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Hole = Html | readonly Html[] | string | number

/** A piece of a page; strings and numbers in holes are shown as they are written. */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(holes[at - 1] ?? '') + part))
}

function textOf(hole: Hole): string {
  if (hole instanceof Html) return hole.text
  if (typeof hole === 'object') return hole.map((each) => each.text).join('')
  return String(hole).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
