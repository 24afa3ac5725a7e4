import { Refused, resultCode } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { RequestFailure } from '#kit/web/send.ts'

const tooManyTries = '操作过于频繁，请一分钟后再试'

/** What went wrong, for somebody who has no account here. */
export function describeProblem(error: unknown): string {
  if (error instanceof RequestFailure && error.status === 429) return tooManyTries
  return describeRefusal(error, '网络不通，请检查网络后重试')
}

export const incompleteCode = new Refused(resultCode.notFound, '链接不完整，请扫描现场的二维码')
