/**
 * Why a message was not taken: `address` (there is no such receiver), `refused` (its receiver declines
 * messages), `rejected` (this message will never be taken), `later` (too many, or the provider is busy),
 * `server` (the provider cannot be reached, or does not take what the settings say: no message gets out until
 * that is mended), `unclear` (it was handed over, and no answer came: it may have gone out).
 */
export type ChannelFaultKind = 'address' | 'refused' | 'rejected' | 'later' | 'server' | 'unclear'

/** The message is for staff; the cause is for the log. */
export class ChannelFault extends Error {
  readonly kind: ChannelFaultKind

  constructor(kind: ChannelFaultKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
