import { setTimeout as pause } from 'node:timers/promises'
import { Refused } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { defineJob, type JobContext } from '#kit/server/jobs.ts'
import { code } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { massReceiverState } from '../contract/choices.ts'
import { wechatMass, type WechatMass } from '../contract/mass.ts'
import { Outage, retryingFault } from '../domain/outage.ts'
import { finalState } from '../domain/mass-state.ts'
import { lockAccount, saveMassBatch } from './mass-report.ts'
import { ensureUploaded } from './materials.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { isPassing, PlatformFault } from './platform/platform-fault.ts'
import { callPlatform } from './platform/platform-client.ts'

export const massJobKind = 'wechat-mass'

interface Batch {
  readonly batchNo: number
  readonly openIds: readonly string[]
}

const isOpen = sql`
  r.state in (${code(massReceiverState, 'waiting')}, ${code(massReceiverState, 'sending')})
`

/**
 * The next batch, marked as under way: cancelling leaves it alone. One that was under way when its process
 * ended is taken again; the platform knows it by its number and does not send it twice.
 */
async function claimBatch(tx: Tx, scope: Scope, massId: Id): Promise<Batch | undefined> {
  const mass = await requireById(tx, wechatMass, scope, massId, { lock: true })
  if (mass.state === 'waiting') {
    await update(tx, wechatMass, scope, massId, {
      state: 'sending',
      sendTime: fromInstant(Date.parse(scope.time)),
    })
  }
  const [batch] = await tx.rows<Batch>(sql`
    select r.batch_no, array_agg(f.open_id order by f.id) as open_ids
    from wechat_mass_receiver r
    join wechat_follower f on f.owner_id = ${scope.ownerId} and f.id = r.follower_id
    where r.owner_id = ${scope.ownerId} and r.mass_id = ${massId} and ${isOpen}
    group by r.batch_no
    order by r.batch_no
    limit 1
  `)
  if (batch) {
    await setBatch(tx, scope, massId, batch.batchNo, 'sending')
  }
  return batch
}

const setBatch = (
  tx: Tx,
  { ownerId }: Scope,
  massId: Id,
  batchNo: number,
  state: 'waiting' | 'sending' | 'sent' | 'failed',
): Promise<number> =>
  tx.execute(sql`
    update wechat_mass_receiver
    set state = ${code(massReceiverState, state)}
    where owner_id = ${ownerId}
      and mass_id = ${massId}
      and batch_no = ${batchNo}
      and state in (${code(massReceiverState, 'waiting')}, ${code(massReceiverState, 'sending')})
  `)

/** Submitted once already under the same number. */
const alreadySubmitted = 45065

async function contentOf(app: App, scope: Scope, mass: WechatMass): Promise<object> {
  const { messageType, content, materialId } = mass
  if (messageType === 'text' || !materialId) return { msgtype: 'text', text: { content: content ?? '' } }
  const { mediaId } = await ensureUploaded(app, scope, materialId)
  const type = messageType === 'article' ? 'mpnews' : messageType === 'video' ? 'mpvideo' : 'image'
  return { msgtype: type, [type]: { media_id: mediaId }, send_ignore_reprint: 1 }
}

/** Why a batch failed, or the number by which the platform will report of it. */
interface Submission {
  readonly fault?: string
  readonly messageId?: string | undefined
}

const idOfAnswer = (messageId: unknown): string | undefined =>
  typeof messageId === 'number' || typeof messageId === 'string' ? String(messageId) : undefined

/** Submits a batch. A refusal, the platform's or ours, is why it failed. */
async function submitBatch(
  { app, database }: JobContext,
  scope: Scope,
  mass: WechatMass,
  { openIds, batchNo }: Batch,
): Promise<Submission> {
  const { ownerId } = scope
  try {
    const account = await requireStoredAccount(app, database.reader(ownerId), ownerId, mass.accountId)
    const content = await contentOf(app, scope, mass)
    const answer = await callPlatform<{ msg_id?: unknown }>(
      app,
      account,
      '/cgi-bin/message/mass/send',
      () => ({
        touser: openIds,
        clientmsgid: `anju-${ownerId}-${mass.id}-${batchNo}`,
        ...content,
      }),
    )
    return { messageId: idOfAnswer(answer.msg_id) }
  } catch (error) {
    if (error instanceof PlatformFault && error.errcode === alreadySubmitted)
      return { messageId: idOfAnswer(error.messageId) }
    if (isPassing(error) || !(error instanceof PlatformFault || error instanceof Refused)) throw error
    return { fault: error.message }
  }
}

/**
 * The batch waits again, so that it can be cancelled; the reason is shown. It may have gone out
 * without an answer: the platform knows it by its number.
 */
async function putBack(tx: Tx, scope: Scope, massId: Id, batchNo: number): Promise<void> {
  const mass = await requireById(tx, wechatMass, scope, massId, { lock: true })
  if (mass.state !== 'sending') return
  await setBatch(tx, scope, massId, batchNo, 'waiting')
  if (mass.fault !== retryingFault) {
    await update(tx, wechatMass, scope, massId, { fault: retryingFault })
  }
}

async function bookBatch(
  tx: Tx,
  scope: Scope,
  { id: massId, accountId }: WechatMass,
  batchNo: number,
  { fault, messageId }: Submission,
): Promise<void> {
  await lockAccount(tx, scope.ownerId, accountId)
  const mass = await requireById(tx, wechatMass, scope, massId, { lock: true })
  const { sentCount, failCount } = mass
  const earlier = failCount && mass.fault === retryingFault ? '部分消息未被微信接受' : mass.fault
  const booked = await setBatch(tx, scope, massId, batchNo, fault === undefined ? 'sent' : 'failed')
  await update(
    tx,
    wechatMass,
    scope,
    massId,
    fault === undefined
      ? { sentCount: sentCount + booked, fault: failCount ? earlier : undefined }
      : { failCount: failCount + booked, fault },
  )
  if (messageId !== undefined && booked) {
    await saveMassBatch(tx, scope, accountId, { massId, batchNo, receiverCount: booked, messageId })
  }
}

/** A batch that the platform takes or refuses; while it is away, again after longer and longer pauses. */
async function sendBatch(c: JobContext, scope: Scope, mass: WechatMass, outage: Outage): Promise<boolean> {
  const { app, database, signal } = c
  const { ownerId } = scope
  const batch = await database.tx(ownerId, tx => claimBatch(tx, scope, mass.id))
  if (!batch) return false
  const { batchNo } = batch
  const book = (submission: Submission) =>
    database.tx(ownerId, tx => bookBatch(tx, scope, mass, batchNo, submission))
  try {
    await book(await submitBatch(c, scope, mass, batch))
    outage.end()
    c.reportProgress(batchNo)
  } catch (error) {
    if (!isPassing(error)) throw error
    const pauseMs = outage.nextPauseMs(app.clock())
    if (pauseMs === undefined) {
      await book({ fault: toError(error).message })
      return true
    }
    await database.tx(ownerId, tx => putBack(tx, scope, mass.id, batchNo))
    c.reportProgress(batchNo - 1, undefined, retryingFault)
    await pause(pauseMs, undefined, { signal })
  }
  return true
}

async function runMass({ massId }: { readonly massId: Id }, c: JobContext) {
  const { app, database, signal } = c
  const scope: Scope = { ...c.scope, time: new Date(app.clock()).toISOString() }
  const { ownerId } = scope
  const mass = await requireById(database.reader(ownerId), wechatMass, scope, massId)
  const outage = new Outage()
  do {
    signal.throwIfAborted()
  } while (await sendBatch(c, scope, mass, outage))
  const done = await database.tx(ownerId, async tx => {
    const sent = await requireById(tx, wechatMass, scope, massId, { lock: true })
    return update(tx, wechatMass, scope, massId, { state: finalState(sent) })
  })
  return { success: done.sentCount, fail: done.failCount, message: done.fault }
}

export const massJob = defineJob<{ readonly massId: Id }>({ kind: massJobKind, run: runMass })
