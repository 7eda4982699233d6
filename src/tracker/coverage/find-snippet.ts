/**
 * Whether a page has the tracker's snippet: an external script with one of the site's public keys. The script may have
 * any name, because a site may serve it from a path of its own. Scripts in HTML comments do not count.
 */
export function hasSnippet(html: string, keys: readonly string[]): boolean {
  for (const tag of scriptTags(withoutComments(html))) {
    if (/\ssrc\s*=/i.test(tag) && keys.some((key) => hasKey(tag, key))) return true
  }
  return false
}

/** TRICKY: one pattern for a whole tag would scan to the end of the page for every tag (test: "unfinished tags"). */
function* scriptTags(html: string): Generator<string> {
  const begins = /<script\b/gi
  for (let found = begins.exec(html); found !== null; found = begins.exec(html)) {
    const end = html.indexOf('>', begins.lastIndex)
    if (end === -1) return
    yield html.slice(found.index, end + 1)
    begins.lastIndex = end + 1
  }
}

/** Whether the tag contains the key as a whole word, because another key may begin with the same characters. */
function hasKey(tag: string, key: string): boolean {
  for (let at = tag.indexOf(key); at >= 0; at = tag.indexOf(key, at + 1)) {
    if (!/[\w-]/.test(tag.charAt(at + key.length)) && !/[\w-]/.test(tag.charAt(at - 1))) return true
  }
  return false
}

function withoutComments(html: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const open = html.indexOf('<!--', at)
    if (open < 0) return kept.join('') + html.slice(at)
    kept.push(html.slice(at, open))
    const close = html.indexOf('-->', open + 4)
    if (close < 0) return kept.join('')
    at = close + 3
  }
}
