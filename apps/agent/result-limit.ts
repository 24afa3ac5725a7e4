import {
  maxMessageBytes,
  maxOutputBytes,
  maxWholeOutputBytes,
  type CommandResult,
} from '#modules/devices/contract/agent-protocol.ts'

/** What a result may measure as JSON: the message around it takes a little. */
const maxResultBytes = maxMessageBytes - 10_000

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** How many of the first entries measure no more than this. */
function countFitting(entries: readonly unknown[], maxBytes: number): number {
  let bytes = 2
  let count = 0
  for (const entry of entries) {
    bytes += sizeOf(entry) + 1
    if (bytes > maxBytes) break
    count++
  }
  return count
}

/** Cuts the middle out of a text, so that it fits this size with its JSON escapes. */
function cutText(text: string, maxBytes: number): string {
  let [begin, end] = [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  while (begin !== '' && sizeOf(begin) + sizeOf(end) > maxBytes) {
    const share = Math.min(0.9, maxBytes / (sizeOf(begin) + sizeOf(end)))
    begin = begin.slice(0, Math.floor(begin.length * share))
    end = end.slice(end.length - Math.floor(end.length * share))
  }
  return begin.length + end.length === text.length ? text : `${begin}\n……输出过长，省略中间部分……\n${end}`
}

/** The server reads no longer reasons. */
const maxReasonLength = 1000

/** Of a long output the beginning and the end, which often tell how it went; never half a character. */
function beginAndEnd(output: string): string {
  const bytes = Buffer.from(output)
  if (bytes.length <= maxOutputBytes) return output
  const decode = (part: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part)
  const begin = decode(bytes.subarray(0, maxOutputBytes / 2)).replace(/\ufffd+$/, '')
  const end = decode(bytes.subarray(-maxOutputBytes / 2)).replace(/^\ufffd+/, '')
  const omitted = bytes.length - Buffer.byteLength(begin) - Buffer.byteLength(end)
  return `${begin}\n……输出共 ${bytes.length} 字节，省略中间 ${omitted} 字节……\n${end}`
}

/**
 * The output that a limited result shows in part; nothing where it shows all of it. Bytes that are no text
 * become longer as text: one more than the server keeps lets it say that the rest is cut.
 */
export function wholeOutputOf({ output }: CommandResult, limited: CommandResult): Buffer | undefined {
  if (!output || limited.output?.startsWith(output)) return undefined
  return Buffer.from(output).subarray(0, maxWholeOutputBytes + 1)
}

/** A result that fits one message; its output states what is left out. */
export function limitResult(complete: CommandResult): CommandResult {
  const isLongOutput = Buffer.byteLength(complete.output ?? '') > maxOutputBytes
  const whole = isLongOutput ? { ...complete, output: beginAndEnd(complete.output ?? '') } : complete
  const isLong = (whole.reason?.length ?? 0) > maxReasonLength
  const result = isLong ? { ...whole, reason: `${whole.reason?.slice(0, maxReasonLength)}……` } : whole
  if (sizeOf(result) <= maxResultBytes) return result
  const { data, output = '', ...rest } = result
  const shownOutput = cutText(output, maxResultBytes / 3)
  if (sizeOf(data) <= maxResultBytes / 2)
    return { ...rest, ...(data !== undefined && { data }), output: shownOutput }
  if (!Array.isArray(data)) return { ...rest, output: `${shownOutput}\n结果过长，未返回`.trim() }
  const fitting = countFitting(data, maxResultBytes / 2)
  return {
    ...rest,
    data: data.slice(0, fitting),
    output: `${shownOutput}\n共 ${data.length} 项，只返回前 ${fitting} 项`.trim(),
  }
}
