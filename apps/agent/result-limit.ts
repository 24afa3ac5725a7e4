import { maxMessageBytes, type CommandResult } from '#modules/devices/contract/agent-protocol.ts'

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

/** The longest beginning of a text that, with the escapes of JSON, measures no more than this. */
function cutText(text: string, maxBytes: number): string {
  let cut = text
  while (cut !== '' && sizeOf(cut) > maxBytes) {
    cut = cut.slice(0, Math.floor(cut.length * Math.min(0.9, maxBytes / sizeOf(cut))))
  }
  return cut
}

/** The server reads no longer reasons. */
const maxReasonLength = 1000

/** A result that fits one message; its output states what is left out. */
export function limitResult(whole: CommandResult): CommandResult {
  const isLong = (whole.reason?.length ?? 0) > maxReasonLength
  const result = isLong ? { ...whole, reason: `${whole.reason?.slice(0, maxReasonLength)}……` } : whole
  if (sizeOf(result) <= maxResultBytes) return result
  const { data, output = '', ...rest } = result
  const cutOutput = cutText(output, maxResultBytes / 3)
  const note = cutOutput === output ? output : `${cutOutput}\n……输出过长，已截断`
  if (sizeOf(data) <= maxResultBytes / 2)
    return { ...rest, ...(data !== undefined && { data }), output: note }
  if (!Array.isArray(data)) return { ...rest, output: `${note}\n结果过长，未返回`.trim() }
  const fitting = countFitting(data, maxResultBytes / 2)
  return {
    ...rest,
    data: data.slice(0, fitting),
    output: `${note}\n共 ${data.length} 项，只返回前 ${fitting} 项`.trim(),
  }
}
