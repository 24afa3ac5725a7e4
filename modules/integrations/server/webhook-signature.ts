import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** 256 random bits, written as the Standard Webhooks convention has it. */
export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

interface SignedMessage {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const signatureOf = (secret: string, { id, timestamp, body }: SignedMessage): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

/** The headers by which a receiver knows the message: one signature for each secret that holds. */
export const signedHeaders = (
  secrets: readonly string[],
  message: SignedMessage,
): Readonly<Record<string, string>> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map(secret => signatureOf(secret, message)).join(' '),
})
