import { defined } from '#kit/domain/defined.ts'
import { AmountOutOfRange } from '#kit/domain/money.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { errorCode, errorMessage } from '../database-error.ts'
import { diskFullMessage, isDiskFullError } from '../disk-space.ts'

/** Violations that PostgreSQL itself reports, as messages for people. */
const refusalBySqlState: Readonly<Record<string, (constraint: string) => Refused>> = {
  '23505': c =>
    new Refused(resultCode.refused, messageByConstraint.get(c) ?? '已存在相同的记录，请核对后重试'),
  '23P01': c =>
    new Refused(resultCode.refused, messageByConstraint.get(c) ?? '与已有的记录重叠，请核对后重试'),
  '23503': () => new Refused(resultCode.refused, '引用的数据不存在或正在被使用，请刷新后重试'),
  '22003': () => new Refused(resultCode.invalidInput, '数值超出允许的范围'),
  '22008': () => new Refused(resultCode.invalidInput, '日期超出允许的范围'),
  '22021': () => new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试'),
  '22P05': () => new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试'),
  '40P01': () => new Refused(resultCode.refused, '同时操作的人较多，请稍后重试'),
  '40001': () => new Refused(resultCode.refused, '同时操作的人较多，请稍后重试'),
  '55P03': () => new Refused(resultCode.refused, '该数据正在被他人处理，请稍后重试'),
  '57014': () => new Refused(resultCode.refused, '查询时间过长已停止，请缩小范围后重试'),
}

/**
 * Which constraint an error is of. Where companies are spread over nodes, a node's error arrives as its
 * message alone and names the part's own constraint: `room_no_live_102008`.
 */
const constraintOf = (e: unknown): string =>
  e instanceof Error && 'constraint' in e && typeof e.constraint === 'string'
    ? e.constraint
    : (/constraint "(.+?)(?:_\d+)?"/.exec(errorMessage(e))?.[1] ?? '')

export function toRefused(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  // As PostgreSQL's own 22003: what was entered comes to more than one amount may be.
  if (error instanceof AmountOutOfRange) return new Refused(resultCode.invalidInput, error.message)
  if (isDiskFullError(error)) return new Refused(resultCode.refused, diskFullMessage)
  const state = errorCode(error)
  return Object.hasOwn(refusalBySqlState, state)
    ? defined(refusalBySqlState[state])(constraintOf(error))
    : undefined
}

const messageByConstraint = new Map<string, string>()

/** The messages of a module's unique indexes: `{ room_no_live: '该单元已有此房号' }`. */
export const uniqueMessages = (messages: Readonly<Record<string, string>>): void => {
  for (const [k, v] of Object.entries(messages)) {
    messageByConstraint.set(k, v)
  }
}
