export const resultCode = {
  ok: 10000,
  invalidInput: 10001,
  refused: 10002,
  forbidden: 10003,
  notFound: 10004,
  stale: 10005,
  rateLimited: 10006,
  internalError: 10500,
} as const

/** The client also takes these for success (0§8). */
export const isSuccess = (code: unknown): boolean => ['10000', '200', '304'].includes(String(code))

export interface Envelope {
  readonly Code: number
  readonly Message: string
  readonly Data: unknown
  readonly Total?: number
  readonly Sum?: unknown
}

export interface FieldFault {
  readonly Field: string
  readonly Message: string
}

/** A refusal is for people and crosses the wire. Any other error is a defect and does not. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const refuse = (message: string): never => {
  throw new Refused(resultCode.refused, message)
}

/** What was sent to stand for a right, and does not: a link or code that may have been guessed. */
export class UnknownSecret extends Refused {
  constructor(message: string, code: number = resultCode.refused) {
    super(code, message)
  }
}

export const notFound = (): Refused => new Refused(resultCode.notFound, '数据不存在或已被删除')
export const staleVersion = (): Refused => new Refused(resultCode.stale, '数据已被他人修改，请刷新后重试')

/** One wrong member, named as the caller's object names it (`key`, or `key[2].key`). */
export const invalidInput = (faults: readonly FieldFault[]): Refused =>
  new Refused(resultCode.invalidInput, faults[0]?.Message ?? '输入有误', faults)

/** The same of one member alone. */
export const invalidField = (Field: string, Message: string): Refused => invalidInput([{ Field, Message }])

/** Throws what `invalidField` makes, where an expression is wanted. */
export const refuseField = (field: string, message: string): never => {
  throw invalidField(field, message)
}
