import type { MessageChannel } from '#modules/messaging/contract/choices.ts'

/** The channels of a notice that send messages. */
export const channelsOf = (chosen: unknown): readonly MessageChannel[] =>
  (['sms', 'wechat'] as const).filter(channel => Array.isArray(chosen) && chosen.includes(channel))
