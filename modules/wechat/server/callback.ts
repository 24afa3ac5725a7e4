import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { RawEndpoint, RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import { clockScope } from '#kit/server/scope.ts'
import { chooseReply } from '../domain/reply.ts'
import {
  assertSigned,
  digestOf,
  ForgedMessage,
  messageKeyOf,
  readMessage,
  readQuery,
  type CallbackQuery,
} from './callback-message.ts'
import { ensureFollower, saveFollowed, saveLeft } from './followers.ts'
import { isJobEvent, noteMassJob, noteTemplateJob } from './job-events.ts'
import { findStoredAccount, type StoredAccount } from './platform/account-store.ts'
import { encryptMessage, newToken, signatureOf } from './platform/crypto.ts'
import { writeXml, type XmlFields, type XmlTree } from './platform/xml.ts'
import { findRules, firstContentOf, type ReplyRule } from './reply-message.ts'

const route = '/api/wechat/callback/:ownerId/:accountId'
const maxBodyBytes = 65_536
const maxEcho = 200

/** The platform takes this for an answer without a message, and does not ask again. */
const nothingToSay: RawResponse = { type: 'text/plain; charset=utf-8', body: 'success' }
const refused: RawResponse = { status: 403, type: 'text/plain; charset=utf-8', body: 'refused' }

const findAccount = ({ params }: RawRequest, app: App): Promise<StoredAccount | undefined> => {
  const ownerId = parseId(params.ownerId)
  const id = parseId(params.accountId)
  return ownerId > 0 && id > 0
    ? findStoredAccount(app, app.database.reader(ownerId), ownerId, id)
    : Promise.resolve(undefined)
}

/** Forged and repeated messages are audited. */
const auditRefused = (app: App, { ownerId, id }: StoredAccount, ip: string, why: string): Promise<void> =>
  app.database.tx(ownerId, tx =>
    audit(tx, { ...clockScope(app, ownerId), ip }, [
      { action: 'refused', entity: 'wechatAccount', entityId: id, reason: `微信消息被拒绝：${why}` },
    ]),
  )

/** What is done with a genuine message; any other is refused. */
async function withGenuine(
  request: RawRequest,
  app: App,
  answer: (account: StoredAccount, query: CallbackQuery) => Promise<RawResponse>,
): Promise<RawResponse> {
  const account = await findAccount(request, app)
  if (!account) return { status: 404 }
  const query = readQuery(request.query)
  try {
    assertSigned(account, query, app.clock())
    return await answer(account, query)
  } catch (error) {
    if (!(error instanceof ForgedMessage)) throw error
    await auditRefused(app, account, request.ip, error.message)
    return refused
  }
}

/**
 * Notes that a message has come. False where it has come before: the platform repeats what was not answered
 * in five seconds. The address of a message in clear covers no body, so it may carry one body alone.
 */
async function isFirst(
  tx: Tx,
  { ownerId, id }: StoredAccount,
  message: { readonly key: string; readonly digest: string; readonly time: Date },
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into wechat_inbox (owner_id, account_id, message_key, digest, receive_time)
    values (${ownerId}, ${id}, ${message.key}, ${message.digest}, ${message.time})
    on conflict (owner_id, account_id, message_key) do nothing
  `)
  return inserted > 0
}

async function assertOneBody(
  tx: Tx,
  account: StoredAccount,
  { signature, nonce, timestamp }: CallbackQuery,
  digest: string,
  time: Date,
): Promise<void> {
  const key = `s:${digestOf([signature, nonce, timestamp].join('\n'))}`
  if (await isFirst(tx, account, { key, digest, time })) return
  const earlier = await tx.one<{ digest: string }>(sql`
    select digest
    from wechat_inbox
    where owner_id = ${account.ownerId} and account_id = ${account.id} and message_key = ${key}
  `)
  if (earlier?.digest !== digest) throw new ForgedMessage('同一签名用于不同的消息')
}

/** The estate of a code that was scanned, while it is bound to this account. */
async function sceneEstate(
  tx: Tx,
  { ownerId, id }: StoredAccount,
  eventKey: string,
): Promise<string | undefined> {
  const scene = eventKey.replace(/^qrscene_/, '')
  if (!scene) return undefined
  const bound = await tx.one<{ projectCode: string }>(sql`
    select project_code
    from wechat_estate
    where owner_id = ${ownerId} and account_id = ${id} and project_code = ${scene} and delete_tag = 0
  `)
  return bound?.projectCode
}

/** What a message changes among the followers. */
async function noteFollower(tx: Tx, account: StoredAccount, message: XmlFields, time: Date): Promise<void> {
  const { FromUserName: openId = '', Event = '', EventKey = '' } = message
  const follower = { ownerId: account.ownerId, accountId: account.id, openId, time }
  const event = Event.toLowerCase()
  if (event === 'unsubscribe') {
    await saveLeft(tx, follower)
  } else if (event === 'subscribe' || event === 'scan') {
    await saveFollowed(tx, { ...follower, estateCode: await sceneEstate(tx, account, EventKey) })
  } else {
    await ensureFollower(tx, follower)
  }
}

/** Which rule answers: a button that was tapped is as if its keyword had been typed. */
function ruleFor(
  rules: readonly ReplyRule[],
  { MsgType, Event = '', EventKey = '', Content = '' }: XmlFields,
) {
  if (MsgType === 'text') return chooseReply(rules, Content)
  if (MsgType !== 'event') return rules.find(rule => rule.event === 'otherwise')
  if (Event.toLowerCase() === 'subscribe') return rules.find(rule => rule.event === 'follow')
  return Event.toLowerCase() === 'click' ? chooseReply(rules, EventKey) : undefined
}

/** As the platform takes it: encrypted, and signed again, where the account is in that mode. */
function sealed(account: StoredAccount, fields: XmlTree, nowMs: number): RawResponse {
  const type = 'application/xml; charset=utf-8'
  const plain = writeXml(fields)
  const { token = '', aesKey, appId } = account
  if (!account.isEncrypted || aesKey === undefined) return { type, body: plain }
  const Encrypt = encryptMessage(aesKey, appId, plain)
  const TimeStamp = Math.floor(nowMs / 1000)
  const Nonce = newToken().slice(0, 12)
  const MsgSignature = signatureOf(token, String(TimeStamp), Nonce, Encrypt)
  return { type, body: writeXml({ Encrypt, MsgSignature, TimeStamp, Nonce }) }
}

async function answerMessage(
  account: StoredAccount,
  message: XmlFields,
  { app, origin }: { readonly app: App; readonly origin: string },
): Promise<RawResponse> {
  const { FromUserName = '', ToUserName = '' } = message
  const rules = await findRules(app.database.reader(account.ownerId), account)
  const rule = ruleFor(rules, message)
  // A text is there at once: a default with a picture could not be had in time either.
  const reserve = rule && rules.find(each => each.event === 'otherwise' && each.replyType === 'text')
  const content = await firstContentOf([rule, reserve], { app, origin, ownerId: account.ownerId })
  if (!content) return nothingToSay
  const nowMs = app.clock()
  return sealed(
    account,
    {
      ToUserName: FromUserName,
      FromUserName: ToUserName,
      CreateTime: Math.floor(nowMs / 1000),
      ...content,
    },
    nowMs,
  )
}

/** Somebody's message or event; answered at once, since the platform waits five seconds. */
const receiveMessage = (request: RawRequest, app: App): Promise<RawResponse> =>
  withGenuine(request, app, async (account, query) => {
    const message = readMessage(account, query, request.body)
    if (!/^[\w-]{1,64}$/.test(message.FromUserName ?? '')) throw new ForgedMessage('缺少发送人')
    const time = new Date(app.clock())
    const digest = digestOf(request.body)
    const isNew = await app.database.tx(account.ownerId, async tx => {
      if (!account.isEncrypted) {
        await assertOneBody(tx, account, query, digest, time)
      }
      if (!(await isFirst(tx, account, { key: messageKeyOf(message), digest, time }))) return false
      if (isJobEvent(message)) {
        await noteMassJob(tx, app, account, message)
      } else {
        await noteFollower(tx, account, message, time)
      }
      return true
    })
    if (isNew && isJobEvent(message)) {
      await noteTemplateJob(app, account, message)
      return nothingToSay
    }
    return isNew ? answerMessage(account, message, { app, origin: request.origin }) : nothingToSay
  })

/** The platform asks once, when the address is entered there. */
const verifyAddress = (request: RawRequest, app: App): Promise<RawResponse> =>
  withGenuine(request, app, async () => ({
    type: 'text/plain; charset=utf-8',
    body: (request.query.get('echostr') ?? '').slice(0, maxEcho),
  }))

export const callbackEndpoints: readonly RawEndpoint[] = [
  { route: `GET ${route}`, run: verifyAddress },
  { route: `POST ${route}`, maxBodyBytes, isFrequent: true, run: receiveMessage },
]

/** Longer than the platform repeats a message, and than a signed address is taken. */
const inboxMs = 24 * 3_600_000

/** Notes of messages, and reports that nothing was ever known of. */
export async function deleteOldMessages(tx: Tx, ownerId: Id, nowMs: number): Promise<number> {
  const before = new Date(nowMs - inboxMs)
  const messages = await tx.execute(sql`
    delete from wechat_inbox
    where owner_id = ${ownerId} and receive_time < ${before}
  `)
  const reports = await tx.execute(sql`
    delete from wechat_job_report
    where owner_id = ${ownerId} and receive_time < ${before}
  `)
  return messages + reports
}
