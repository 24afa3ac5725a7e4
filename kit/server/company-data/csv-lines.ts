const newline = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
export const byteOrderMark = Buffer.from('\ufeff')

/** `heading（column）`, so that people and programs find what they look for. */
export const headerLine = (columns: readonly { readonly heading: string; readonly name: string }[]): string =>
  columns.map(({ heading, name }) => `"${heading.replaceAll('"', '""')}（${name}）"`).join(',') + '\r\n'

/**
 * Finds the ends of rows in CSV that comes in pieces: an end of line between quotes belongs to a value, and a
 * quote within a value is doubled.
 */
export class RowEnds {
  #isQuoted = false
  rows = 0

  /** The places in this piece where rows end. */
  find(piece: Buffer): number[] {
    const ends: number[] = []
    let at = 0
    while (at < piece.length) {
      if (this.#isQuoted) {
        const close = piece.indexOf(quote, at)
        if (close < 0) return ends
        this.#isQuoted = false
        at = close + 1
        continue
      }
      const open = piece.indexOf(quote, at)
      const until = open < 0 ? piece.length : open
      for (
        let end = piece.indexOf(newline, at);
        end >= 0 && end < until;
        end = piece.indexOf(newline, end + 1)
      ) {
        ends.push(end)
        this.rows++
      }
      if (open < 0) return ends
      this.#isQuoted = true
      at = open + 1
    }
    return ends
  }
}

const crlf = Buffer.from([carriageReturn, newline])

/** PostgreSQL's CSV with the ends of line of RFC 4180. */
export function withCrlf(piece: Buffer, rowEnds: RowEnds): Buffer {
  const ends = rowEnds.find(piece)
  const parts: Buffer[] = []
  let from = 0
  for (const end of ends) {
    parts.push(piece.subarray(from, end), crlf)
    from = end + 1
  }
  parts.push(piece.subarray(from))
  return Buffer.concat(parts)
}

/** The first line of a file, which holds no quoted end of line, and the pieces behind it. */
export async function splitHeader(
  pieces: AsyncIterable<Buffer>,
): Promise<{ readonly header: string; readonly rest: AsyncGenerator<Buffer> }> {
  const iterator = pieces[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let end = -1
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    head = Buffer.concat([head, next.value])
    end = head.indexOf(newline)
    if (end >= 0) break
  }
  const header = head.subarray(0, end + 1).toString()
  const rest = (async function* () {
    yield head.subarray(end + 1)
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield next.value
    }
  })()
  return { header, rest }
}
