import type { RawObject } from './members.ts'
import { Refused, resultCode } from './result.ts'

export const requestLimits = { bytes: 10 * 1024 * 1024, depth: 8, members: 20_000, ids: 2000 } as const

/** Too deep, too wide, too many: refused before anything reads it. */
export function assertWithinLimits(value: unknown): void {
  let members = 0
  const walk = (part: unknown, depth: number): void => {
    if (typeof part === 'string') {
      if (!part.isWellFormed() || part.includes('\0'))
        throw new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试')
      return
    }
    if (part === null || typeof part !== 'object') return
    if (depth > requestLimits.depth)
      throw new Refused(resultCode.invalidInput, `数据嵌套不能超过 ${requestLimits.depth} 层`)
    for (const key in part) {
      if (++members > requestLimits.members)
        throw new Refused(resultCode.invalidInput, `一次提交的数据项不能超过 ${requestLimits.members} 个`)
      walk((part as RawObject)[key], depth + 1)
    }
  }
  walk(value, 1)
}
