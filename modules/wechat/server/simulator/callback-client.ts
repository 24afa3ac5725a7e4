import { randomBytes } from 'node:crypto'
import { decryptMessage, encryptMessage, signatureOf } from '../platform/crypto.ts'
import { readXml, writeXml, type XmlTree } from '../platform/xml.ts'
import { keepPhoneMessage, type SimulatedAccount, type SimulatedFollower } from './platform-state.ts'

/** The platform gives up on an answer after so long. */
const timeoutMs = 5000

interface SignedPost {
  readonly url: string
  readonly body: string
}

/** A message of a follower, signed and, in that mode, encrypted, as the platform posts it. */
export const signedPost = (account: SimulatedAccount, message: XmlTree, seconds: number): SignedPost =>
  signedText(account, writeXml(message), seconds, String(message.ToUserName ?? ''))

/** Any text, as the platform would sign and encrypt it. */
export function signedText(
  account: SimulatedAccount,
  plain: string,
  seconds: number,
  receiver = '',
): SignedPost {
  const { token = '', aesKey = '', appId, isEncrypted, callbackUrl } = account.keys
  const timestamp = String(seconds)
  const nonce = randomBytes(6).toString('hex')
  const query = new URLSearchParams({ signature: signatureOf(token, timestamp, nonce), timestamp, nonce })
  if (!isEncrypted) return { url: `${callbackUrl}?${query.toString()}`, body: plain }
  const encrypted = encryptMessage(aesKey, appId, plain)
  query.set('encrypt_type', 'aes')
  query.set('msg_signature', signatureOf(token, timestamp, nonce, encrypted))
  return {
    url: `${callbackUrl}?${query.toString()}`,
    body: writeXml({ ToUserName: receiver, Encrypt: encrypted }),
  }
}

/** The clear text of an answer; in encrypted mode its signature must hold. */
export function readAnswer(account: SimulatedAccount, text: string): string {
  const { token = '', aesKey = '', appId, isEncrypted } = account.keys
  if (!isEncrypted || text === '' || text === 'success') return text
  const { Encrypt = '', MsgSignature = '', TimeStamp = '', Nonce = '' } = readXml(text)
  if (signatureOf(token, TimeStamp, Nonce, Encrypt) !== MsgSignature) throw new Error('wrong MsgSignature')
  return decryptMessage(aesKey, appId, Encrypt)
}

function showAnswer(follower: SimulatedFollower, xml: string): void {
  if (xml === '' || xml === 'success') return
  const type = readXml(xml).MsgType ?? ''
  if (type === 'text') {
    keepPhoneMessage(follower, { from: 'account', kind: 'text', text: readXml(xml).Content ?? '' })
    return
  }
  const partOf = (name: string): string =>
    new RegExp(`<${name}><!\\[CDATA\\[(.*?)]]>`, 's').exec(xml)?.[1] ?? ''
  if (type === 'news') {
    keepPhoneMessage(follower, {
      from: 'account',
      kind: 'article',
      text: [partOf('Title'), partOf('Description')].filter(Boolean).join('\n'),
      url: partOf('Url') || undefined,
    })
    return
  }
  const kind = type === 'video' ? 'video' : 'image'
  keepPhoneMessage(follower, { from: 'account', kind, text: `[${kind}] ${partOf('MediaId')}` })
}

async function post(account: SimulatedAccount, openId: string, fields: XmlTree, nowMs: number) {
  const seconds = Math.floor(nowMs / 1000)
  const message: XmlTree = {
    ToUserName: `gh_${account.keys.appId.slice(2, 14)}`,
    FromUserName: openId,
    CreateTime: seconds,
    ...fields,
  }
  const { url, body } = signedPost(account, message, seconds)
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
}

/** Posts what became of mass messages and template messages. */
export async function deliverJobs(account: SimulatedAccount, nowMs: number): Promise<void> {
  for (const { openId, fields } of account.jobs.splice(0)) {
    await post(account, openId, fields, nowMs)
  }
}

/** Posts what a follower did, and shows what the account answers. */
export async function deliver(
  account: SimulatedAccount,
  follower: SimulatedFollower,
  fields: XmlTree,
  nowMs: number,
): Promise<number> {
  const response = await post(account, follower.openId, fields, nowMs)
  const text = await response.text()
  if (response.ok) {
    showAnswer(follower, readAnswer(account, text))
  } else {
    keepPhoneMessage(follower, {
      from: 'account',
      kind: 'event',
      text: `公众号暂时无法提供服务（${response.status}）`,
    })
  }
  return response.status
}
