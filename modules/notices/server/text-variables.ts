import { refuse, refuseField, type FieldFault } from '#kit/contract/wire.ts'
import type { Audience } from '#modules/messaging/contract/audience.ts'
import { audienceVariables, variableFault } from '#modules/messaging/server/public.ts'
import type { NoticeChannel } from '../contract/choices.ts'

interface Sent extends Audience {
  readonly channels: readonly NoticeChannel[]
  readonly smsText?: string | undefined
}

const faultOf = (audience: Audience, text: string): string | undefined =>
  variableFault(text, audienceVariables(audience))

/** What is wrong with the variables of the text that goes out beside a notice. */
export function smsTextFaults({ channels, smsText, ...audience }: Sent): FieldFault[] {
  const isSent = channels.includes('sms') || channels.includes('wechat')
  const fault = isSent && smsText ? faultOf(audience, smsText) : undefined
  return fault ? [{ Field: 'SmsText', Message: fault }] : []
}

/** Of a draft that was kept before: nothing goes out with a hole. */
export function assertSmsText(notice: Sent): void {
  const [fault] = smsTextFaults(notice)
  if (fault) {
    refuse(`短信与微信文字：${fault.Message}`)
  }
}

export function assertReminderText(audience: Audience, text: string): void {
  const fault = faultOf(audience, text)
  if (fault) {
    refuseField('Content', fault)
  }
}
