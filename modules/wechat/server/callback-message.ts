import { createHash } from 'node:crypto'
import { readXml, type XmlFields } from './platform/xml.ts'
import { decryptMessage, isSameText, signatureOf } from './platform/crypto.ts'
import type { StoredAccount } from './platform/account-store.ts'

/** A message that its sender cannot have signed, or that comes too late. */
export class ForgedMessage extends Error {}

/** The platform's clock and ours may differ so much; a message is tried again for some seconds only. */
const maxAgeMs = 600_000

export interface CallbackQuery {
  readonly signature: string
  readonly timestamp: string
  readonly nonce: string
  readonly messageSignature: string
  readonly isEncrypted: boolean
}

export const readQuery = (query: URLSearchParams): CallbackQuery => ({
  signature: query.get('signature') ?? '',
  timestamp: query.get('timestamp') ?? '',
  nonce: query.get('nonce') ?? '',
  messageSignature: query.get('msg_signature') ?? '',
  isEncrypted: query.get('encrypt_type') === 'aes',
})

/** Throws `ForgedMessage` where the address was not signed with the account's token, or not now. */
export function assertSigned(
  account: StoredAccount,
  { signature, timestamp, nonce }: CallbackQuery,
  nowMs: number,
): void {
  const { token } = account
  if (token === undefined) throw new ForgedMessage('尚未生成服务器配置')
  if (!/^\d{9,11}$/.test(timestamp) || !nonce || nonce.length > 64)
    throw new ForgedMessage('缺少时间戳或随机数')
  if (!isSameText(signatureOf(token, timestamp, nonce), signature)) throw new ForgedMessage('签名不符')
  if (Math.abs(nowMs - Number(timestamp) * 1000) > maxAgeMs) throw new ForgedMessage('时间戳已过期')
}

function decrypted(account: StoredAccount, query: CallbackQuery, encrypted: string): string {
  const { token = '', aesKey, appId } = account
  if (aesKey === undefined) throw new ForgedMessage('尚未生成服务器配置')
  const expected = signatureOf(token, query.timestamp, query.nonce, encrypted)
  if (!isSameText(expected, query.messageSignature)) throw new ForgedMessage('消息签名不符')
  try {
    return decryptMessage(aesKey, appId, encrypted)
  } catch (cause) {
    throw new ForgedMessage('消息无法解密', { cause })
  }
}

/** What is no message of the platform is refused, in clear or within the encryption. */
function fieldsOf(xml: string): XmlFields {
  try {
    return readXml(xml)
  } catch (cause) {
    throw new ForgedMessage('不是微信的消息', { cause })
  }
}

/** The fields of a message. An account in encrypted mode takes no message in clear. */
export function readMessage(account: StoredAccount, query: CallbackQuery, body: string): XmlFields {
  const outer = fieldsOf(body)
  if (!account.isEncrypted) return outer
  if (!query.isEncrypted || outer.Encrypt === undefined) throw new ForgedMessage('消息没有加密')
  return fieldsOf(decrypted(account, query, outer.Encrypt))
}

/**
 * Messages have numbers, events do not: their sender and second stand for one (as the platform advises), with
 * the number of the job where it is about one.
 */
export const messageKeyOf = ({
  MsgId,
  MsgID = '',
  FromUserName = '',
  CreateTime = '',
  Event = '',
  EventKey = '',
}: XmlFields): string =>
  MsgId
    ? `m:${MsgId.slice(0, 40)}`
    : `e:${digestOf([FromUserName, CreateTime, Event, EventKey, MsgID].join('\n'))}`

export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32)
