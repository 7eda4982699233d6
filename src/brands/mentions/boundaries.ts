/** Where a word begins and ends: UAX 29, with a boundary at apostrophes and hyphens as well (account API 4). */

/** Scripts whose names match as substrings: they are written without spaces, or with particles attached. */
const SUBSTRING_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}ー々〆]/u
const HANGUL = /\p{sc=Hangul}/u
const ALWAYS = /['’-]/
/** WB4: these characters belong to the character before them. */
const ATTACHED = /[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\p{Cf}]/u
const ZERO_WIDTH_SPACE = '\u200b'
const LINE_END = /[\r\n\v\f\u0085\u2028\u2029]/
const NUMERIC = /[\p{Nd}\u066b]/u
/** ALetter and Hebrew_Letter; UAX 29 does not count Thai and its kin, Han, Hiragana and Katakana as letters. */
const LETTER =
  /[\p{Alphabetic}\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff\u055a-\u055c\u055e\u058a\u05f3]/u
const NOT_LETTER =
  /[\p{Ideographic}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{Nd}\p{M}]/u
const BETWEEN_LETTERS = /[.:·\u0387\u055f\u05f4\u2018\u2024\u2027\ufe13\ufe52\ufe55\uff0e\uff1a]/
const BETWEEN_DIGITS =
  /[.,;\u037e\u0589\u060c\u060d\u066c\u07f8\u2018\u2024\u2044\ufe10\ufe14\ufe50\ufe52\ufe54\uff0c\uff0e\uff1b]/
const CONNECTOR = /\p{Pc}/u
/** Characters with a boundary before and after them, where ASCII follows: a shortcut for almost all names. */
const PLAIN = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  " '-*()[]!?/\n".includes(String.fromCharCode(unit)) ? 1 : 0,
)

/** Whether a name that begins or ends at `at` stands on its own there. */
export function isNameEdge(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true
  const next = text.charCodeAt(at)
  if (next < 0x80 && (PLAIN[next] === 1 || PLAIN[text.charCodeAt(at - 1)] === 1)) return true
  const left = before(text, at)
  const right = after(text, at)
  if (LINE_END.test(left) || LINE_END.test(right)) return true
  if (ALWAYS.test(left) || ALWAYS.test(right)) return true
  if (isAttached(right)) return false
  return !joins(text, at, baseBefore(text, at), right)
}

/** Whether a name's edge in this character needs no boundary. */
export const isSubstringScript = (character: string): boolean => SUBSTRING_SCRIPT.test(character)

/** WB5 to WB13b, between two characters of which the second is not attached to the first. */
function joins(text: string, at: number, left: string, right: string): boolean {
  // Korean particles follow foreign names directly.
  if (HANGUL.test(left) !== HANGUL.test(right)) return false
  const [letterLeft, letterRight] = [isLetter(left), isLetter(right)]
  const [digitLeft, digitRight] = [NUMERIC.test(left), NUMERIC.test(right)]
  if ((letterLeft || digitLeft) && (letterRight || digitRight)) return true
  if (CONNECTOR.test(right)) return (letterLeft || digitLeft || CONNECTOR.test(left)) && !isEmphasis(text, at, 1)
  if (CONNECTOR.test(left)) return (letterRight || digitRight) && !isEmphasis(text, at, -1)
  if (letterLeft && BETWEEN_LETTERS.test(right)) return isLetter(nextBase(text, at))
  if (letterRight && BETWEEN_LETTERS.test(left)) return isLetter(previousBase(text, at))
  if (digitLeft && BETWEEN_DIGITS.test(right)) return NUMERIC.test(nextBase(text, at))
  if (digitRight && BETWEEN_DIGITS.test(left)) return NUMERIC.test(previousBase(text, at))
  return false
}

/** Underscores between a name and a non-word character are emphasis of Markdown, and not text. */
function isEmphasis(text: string, at: number, step: 1 | -1): boolean {
  let end = at
  while ((step === 1 ? text[end] : text[end - 1]) === '_') end += step
  const beyond = step === 1 ? after(text, end) : before(text, end)
  return end !== at && !isLetter(beyond) && !NUMERIC.test(beyond) && !CONNECTOR.test(beyond)
}

const isLetter = (character: string) => LETTER.test(character) && !NOT_LETTER.test(character)
const isAttached = (character: string) => ATTACHED.test(character) && character !== ZERO_WIDTH_SPACE

function after(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function before(text: string, at: number): string {
  const unit = text.charAt(at - 1)
  return at > 1 && /[\udc00-\udfff]/.test(unit) && /[\ud800-\udbff]/.test(text.charAt(at - 2))
    ? text.slice(at - 2, at)
    : unit
}

/** The character before `at`, without what is attached to it. */
function baseBefore(text: string, at: number): string {
  let end = at
  for (;;) {
    const character = before(text, end)
    if (!isAttached(character)) return character
    end -= character.length
  }
}

/** The character before the one before `at`. */
function previousBase(text: string, at: number): string {
  let end = at
  while (isAttached(before(text, end))) end -= before(text, end).length
  return baseBefore(text, end - before(text, end).length)
}

/** The character after the one at `at`, without what is attached to either. */
function nextBase(text: string, at: number): string {
  let start = at + after(text, at).length
  while (isAttached(after(text, start))) start += after(text, start).length
  return after(text, start)
}
