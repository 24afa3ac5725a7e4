import type { MessageChannel, MessagePurpose } from '../contract/choices.ts'

/** SMS-3: how the receiver of marketing opts out. */
export const optOutHint = '回T退订'

const hasOptOut = (text: string): boolean => /退订/.test(text)

/** Marketing tells how to opt out; added where it is missing. */
export function withOptOut(text: string): string {
  if (hasOptOut(text)) return text
  return /[\p{L}\p{N}}]$/u.test(text) ? `${text}，${optOutHint}` : `${text}${optOutHint}`
}

/** The text as it goes out. */
export const messageTextOf = (text: string, channel: MessageChannel, purpose: MessagePurpose): string =>
  channel === 'sms' && purpose === 'marketing' && text ? withOptOut(text) : text

/** What is wrong with a text that the provider has as it is: nothing can be added to it. */
export const optOutFault = (text: string): string | undefined =>
  hasOptOut(text) ? undefined : `营销短信应注明退订方式，请在末尾加「${optOutHint}」`
