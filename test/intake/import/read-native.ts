/** Reads blocks of the engine's format Native back into rows, as far as staged lines need its types. */

/** A row by column; numbers as they are, texts decoded, a UUID in 32 digits. */
export type NativeRow = Record<string, string | number | bigint | null>

export function readNative(bytes: Buffer): NativeRow[] {
  const rows: NativeRow[] = []
  let at = 0
  const take = (size: number) => {
    at += size
    return bytes.subarray(at - size, at)
  }
  const length = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  const text = () => take(length()).toString()
  const word = () => Number(take(8).readBigUInt64LE())
  const each = <T>(count: number, read: () => T) => Array.from({ length: count }, read)
  const enumOf = (type: string) => {
    const names = new Map(
      [...type.matchAll(/'(\w+)' = (\d+)/g)].map(([, name, value]) => [Number(value), name as string]),
    )
    return () => {
      const name = names.get(take(1).readInt8())
      if (name === undefined) throw new Error(`${type} has no such value`)
      return name
    }
  }
  const values = (type: string, count: number): NativeRow[string][] => {
    if (type.startsWith('Nullable(')) {
      const nulls = each(count, () => take(1)[0] === 1)
      return values(type.slice('Nullable('.length, -1), count).map((value, row) => (nulls[row] ? null : value))
    }
    if (type.startsWith('Enum8(')) return each(count, enumOf(type))
    if (type === 'LowCardinality(String)') {
      if (word() !== 1 || word() !== 0x202) throw new Error('the words of a column are not in its block')
      const words = each(word(), text)
      return each(word(), () => words[take(4).readUInt32LE()] as string)
    }
    if (type === 'UUID') return each(count, () => Buffer.from(take(16)).swap64().toString('hex'))
    if (type === 'UInt16') return each(count, () => take(2).readUInt16LE())
    if (type === 'UInt64') return each(count, () => take(8).readBigUInt64LE())
    if (type === 'Int64') return each(count, () => Number(take(8).readBigInt64LE()))
    throw new Error(`${type} is not read here`)
  }
  while (at < bytes.length) {
    const [columns, count] = [length(), length()]
    const block = each(count, (): NativeRow => ({}))
    for (let column = 0; column < columns; column += 1) {
      const name = text()
      for (const [row, value] of values(text(), count).entries()) (block[row] as NativeRow)[name] = value
    }
    rows.push(...block)
  }
  return rows
}
