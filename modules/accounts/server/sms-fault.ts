/**
 * Why a short message was not taken: `address` (no such number), `refused` (its owner declines messages),
 * `later` (too many, or the gateway is busy), `server` (the gateway cannot be reached, or does not take what
 * the settings say: no message gets out until that is mended), `unclear` (it was handed over, and no answer
 * came: it may have gone out).
 */
type SmsFaultKind = 'address' | 'refused' | 'later' | 'server' | 'unclear'

/** The words are for staff. The cause is for the log. */
export class SmsFault extends Error {
  readonly kind: SmsFaultKind

  constructor(kind: SmsFaultKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

interface Words {
  readonly code: RegExp
  readonly kind: SmsFaultKind
  readonly words: string
}

/** The codes of Alibaba Cloud and Tencent Cloud that somebody can do something about; the first that fits counts. */
const known: readonly Words[] = [
  {
    code: /MOBILE_NUMBER_ILLEGAL|NUMBER_ILLEGAL|IncorrectPhoneNumber/i,
    kind: 'address',
    words: '手机号不正确',
  },
  { code: /REJECT|BLACK|UNSUBSCRIBE/i, kind: 'refused', words: '用户已退订或拒收' },
  {
    code: /BUSINESS_LIMIT_CONTROL|DAY_LIMIT_CONTROL|Throttling|LimitExceeded/i,
    kind: 'later',
    words: '发送次数超过短信服务商的限制，请稍后再发',
  },
  {
    code: /AMOUNT_NOT_ENOUGH|OUT_OF_SERVICE|InsufficientBalance/i,
    kind: 'server',
    words: '短信账户余额不足或已停用',
  },
  {
    code: /SIGNATURE_ILLEGAL|SMS_SIGN|SignatureIncorrect/i,
    kind: 'server',
    words: '短信签名未通过审核或不存在，请核对 SMS_SIGN_NAME',
  },
  {
    code: /TEMPLATE/i,
    kind: 'server',
    words: '短信模板未通过审核、不存在或变量不符，请核对 SMS_TEMPLATE_…',
  },
  {
    code: /InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure|UnauthorizedOperation|PERMISSION|Forbidden/i,
    kind: 'server',
    words: '短信服务商不接受系统的密钥，请核对 SMS_KEY_ID 与 SMS_KEY_SECRET',
  },
  { code: /InvalidTimeStamp/i, kind: 'server', words: '服务器时间不准，短信服务商不接受' },
]

/** The fault behind a code of the gateway, which is shown where no words are known. */
export function smsFaultOf(code: string, answer: string): SmsFault {
  const cause = new Error(`SMS gateway: ${code} ${answer}`)
  const found = known.find(each => each.code.test(code))
  if (!found) return new SmsFault('later', `短信服务商拒绝发送（${code}）`, cause)
  return new SmsFault(found.kind, found.words, cause)
}

/** Nothing was handed over: there was no connection. */
const noConnection = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/

const codesOf = (error: unknown): string =>
  error instanceof Error
    ? `${'code' in error ? String(error.code) : ''} ${codesOf(error.cause)} ${
        error instanceof AggregateError ? error.errors.map(codesOf).join(' ') : ''
      }`
    : ''

export const smsUnreachable = (cause: unknown): SmsFault =>
  new SmsFault(
    noConnection.test(codesOf(cause)) ? 'server' : 'unclear',
    '连接不上短信服务商，或等不到答复',
    cause,
  )

/** An answer of something between, as a proxy gives: the gateway may have taken the message. */
export const smsUnreadable = (status: number): SmsFault =>
  new SmsFault('unclear', `短信服务商拒绝发送（${status}）`, new Error(`SMS gateway: ${status}`))
