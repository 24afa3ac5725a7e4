/** A delivery report, whichever provider sent it. */
export interface MessageReport {
  readonly isDelivered: boolean
  /** The receiver declined it, which is no fault (WX-1). */
  readonly isRefused?: boolean | undefined
  /** The number or OpenID that the message went to. */
  readonly address: string
  /** What the sender gave the message, where the provider returns it. */
  readonly outId: string | undefined
  readonly ref: string | undefined
  readonly reason: string | undefined
}

/** A message from a receiver. */
export interface SmsReply {
  readonly mobile: string
  readonly text: string
}

type Item = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const itemsOf = (body: unknown): readonly Item[] => {
  const all: readonly unknown[] = Array.isArray(body) ? body : [body]
  return all.filter((item): item is Item => typeof item === 'object' && item !== null)
}

const withoutCountry = (mobile: string): string => mobile.replace(/^(\+?86)(?=1\d{10}$)/, '')

/** What is no report of either provider is left out: a stranger's body must not stop those beside it. */
export const readReports = (body: unknown): readonly MessageReport[] =>
  itemsOf(body).flatMap(item => {
    const mobile = textOf(item.phone_number ?? item.mobile)
    const ref = textOf(item.biz_id ?? item.sid)
    const isTencent = 'report_status' in item
    if (mobile === undefined || ref === undefined || !(isTencent || 'success' in item)) return []
    const isDelivered = isTencent
      ? item.report_status === 'SUCCESS'
      : item.success === true || item.success === 'true'
    const reason = textOf(isTencent ? item.description : item.err_msg) ?? textOf(item.err_code ?? item.errmsg)
    return [{ isDelivered, address: withoutCountry(mobile), outId: textOf(item.out_id), ref, reason }]
  })

export const readReplies = (body: unknown): readonly SmsReply[] =>
  itemsOf(body).flatMap(item => {
    const mobile = textOf(item.phone_number ?? item.mobile)
    const text = textOf(item.content ?? item.text)
    return mobile === undefined || text === undefined ? [] : [{ mobile: withoutCountry(mobile), text }]
  })

/** SMS-3: `T`, `TD`, `退订` and what people write instead. */
export const isOptOut = (text: string): boolean =>
  /^\s*(t|td|n|tt|退|退订|退定|取消)\s*[。.!！]?\s*$/i.test(text)
