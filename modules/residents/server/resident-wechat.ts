import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, findEntry, removeKeys } from '#kit/server/directory.ts'
import { anonymous, reads, writes, type AnonymousContext } from '#kit/server/handler.ts'
import type { App } from '#kit/server/app.ts'
import type { Wechat } from '#modules/accounts/server/public.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import {
  cancelResidentWechat,
  confirmResidentWechat,
  createResidentQr,
  getResidentQrState,
  scanResidentQr,
  unbindResidentWechat,
  wechatBindingState,
} from '../contract/wechat.ts'
import { requireResident } from './resident-access.ts'
import { findEstateOfResident, residentWechatOf } from './resident-wechat-account.ts'
import { paths } from '../module.ts'

const ticketLifetimeMs = 600_000
const expiredTicketKeepMs = 3_600_000

type BindingState = keyof (typeof wechatBindingState)['rows']
const stateCode = (key: BindingState): number => Number(codeOf(wechatBindingState, key))

interface Ticket {
  readonly ownerId: Id
  readonly residentId: Id
  readonly state: number
  readonly isLive: boolean
  readonly name: string
  readonly companyName: string
}

/** The account by which a resident is bound: that with which their page lets them sign in. */
const wechatOfResident = async (app: App, ownerId: Id, residentId: Id): Promise<Wechat> =>
  residentWechatOf(
    app,
    ownerId,
    await findEstateOfResident(app.database.reader(ownerId), ownerId, residentId),
  )

/**
 * The ticket of a QR code, before any sign-in: which resident of which company. A wrong or old code tells
 * nothing of anybody.
 */
async function findTicket({ app }: AnonymousContext, uuid: string): Promise<Ticket | undefined> {
  if (!/^[\w-]{22}$/.test(uuid)) return undefined
  const entry = await findEntry(app.database.reader('*'), 'resident_wechat', uuid)
  if (!entry) return undefined
  const { ownerId } = entry
  return app.database.reader(ownerId).one<Ticket>(
    sql`
      select t.owner_id, t.resident_id, t.state, t.expire_time > ${new Date(app.clock())} as is_live,
        r.name, p.company_name
      from resident_wechat_ticket t
      join resident r on r.owner_id = ${ownerId} and r.id = t.resident_id and ${notDeleted('r')}
      join property p on p.owner_id = ${ownerId}
      where t.owner_id = ${ownerId} and t.uuid = ${uuid}
    `,
  )
}

const refuseExpired = (): never => refuse('二维码已失效，请联系物业重新获取')

/** 张*三: enough for its owner to recognize. */
export const maskName = (name: string): string =>
  [...name].map((character, i) => (i === 0 ? character : '*')).join('')

async function advanceTicket(
  context: AnonymousContext,
  uuid: string,
  from: readonly BindingState[],
  to: BindingState,
): Promise<Ticket> {
  const ticket = await findTicket(context, uuid)
  if (!ticket?.isLive) return refuseExpired()
  const { ownerId } = ticket
  const advanced = await context.app.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update resident_wechat_ticket
        set state = ${stateCode(to)}
        where owner_id = ${ownerId} and uuid = ${uuid} and state = any(${from.map(stateCode)}::smallint[])
      `,
    ),
  )
  return advanced ? ticket : refuseExpired()
}

async function deleteExpiredTickets(tx: Tx, ownerId: Id, before: Date): Promise<void> {
  const expired = await tx.rows<{ uuid: string }>(
    sql`
      delete
      from resident_wechat_ticket
      where owner_id = ${ownerId} and expire_time < ${before}
      returning uuid
    `,
  )
  await removeKeys(
    tx,
    'resident_wechat',
    expired.map(ticket => ticket.uuid),
  )
}

const createResidentQrHandler = writes(createResidentQr, async ({ id }, { tx, scope, app }) => {
  const { ownerId, operatorId } = scope
  const person = await requireResident(tx, scope, id, { lock: true })
  const uuid = randomBytes(16).toString('base64url').slice(0, 22)
  const time = app.clock()
  const { isSimulated } = await wechatOfResident(app, ownerId, id)
  if (person.wechatBind) return refuse(`「${person.name}」已绑定微信，请先解除绑定`)
  await deleteExpiredTickets(tx, ownerId, new Date(time - expiredTicketKeepMs))
  await addEntry(tx, 'resident_wechat', uuid, { ownerId, refId: id })
  await tx.execute(
    sql`
      insert into resident_wechat_ticket (
        owner_id, uuid, resident_id, state, create_by, create_time, expire_time
      )
      values (
        ${ownerId}, ${uuid}, ${id}, ${stateCode('waiting')}, ${operatorId}, ${new Date(time)},
        ${new Date(time + ticketLifetimeMs)}
      )
    `,
  )
  return {
    uuid,
    url: `${paths.wechatPage}?uuid=${uuid}`,
    seconds: ticketLifetimeMs / 1000,
    simulated: isSimulated,
  }
})

const getResidentQrStateHandler = reads(getResidentQrState, async ({ uuid }, { db, scope, app }) => {
  const ticket = await db.one<{ state: number; isLive: boolean }>(
    sql`
      select state, expire_time > ${new Date(app.clock())} as is_live
      from resident_wechat_ticket
      where owner_id = ${scope.ownerId} and uuid = ${uuid} and create_by = ${scope.operatorId}
    `,
  )
  const state = ticket && defined(keyOf(wechatBindingState, ticket.state))
  const isFinal = state === 'bound' || state === 'refused'
  return { state: state && (ticket.isLive || isFinal) ? state : 'expired' }
})

const scanResidentQrHandler = anonymous(scanResidentQr, async ({ uuid, origin }, context) => {
  const ticket = await advanceTicket(context, uuid, ['waiting', 'scanned'], 'scanned')
  const wechat = await wechatOfResident(context.app, ticket.ownerId, ticket.residentId)
  return {
    name: maskName(ticket.name),
    companyName: ticket.companyName,
    address: wechat.authorizeUrl(`${origin}/residentwx`, uuid),
  }
})

/** Whose WeChat gave this code; refuses where WeChat does not say. */
async function requestOpenId(
  { app }: AnonymousContext,
  { ownerId, residentId }: Ticket,
  authorizationCode: string,
): Promise<string> {
  try {
    const wechat = await wechatOfResident(app, ownerId, residentId)
    return await wechat.openIdOf(authorizationCode)
  } catch (err) {
    app.log.warn({ err }, 'no openid for a code')
    return refuse('微信未确认身份，请重新扫码')
  }
}

/** Uses up the ticket; refuses where somebody was faster, or the WeChat is another resident's. */
async function bindWechat(tx: Tx, ticket: Ticket, uuid: string, openId: string, time: Date): Promise<void> {
  const { ownerId, residentId } = ticket
  const used = await tx.execute(
    sql`
      update resident_wechat_ticket
      set state = ${stateCode('bound')}
      where owner_id = ${ownerId}
        and uuid = ${uuid}
        and state = ${stateCode('scanned')}
        and expire_time > ${time}
    `,
  )
  if (!used) return refuseExpired()
  const other = await tx.one(
    sql`
      select 1 as found
      from resident
      where owner_id = ${ownerId} and run_wechat = ${openId} and id <> ${residentId} and ${notDeleted()}
    `,
  )
  if (other) return refuse('该微信已绑定了另一位住户，请先联系物业解除')
  await tx.execute(
    sql`
      update resident
      set run_wechat = ${openId}, wechat_bind = true, run_wechat_time = ${time}, version = version + 1,
        update_time = ${time}
      where owner_id = ${ownerId} and id = ${residentId} and ${notDeleted()}
    `,
  )
}

const confirmResidentWechatHandler = anonymous(confirmResidentWechat, async ({ uuid, code }, context) => {
  const ticket = await findTicket(context, uuid)
  if (!ticket?.isLive || ticket.state !== stateCode('scanned')) return refuseExpired()
  const openId = await requestOpenId(context, ticket, code)
  const { app, ip, requestId } = context
  const { ownerId, residentId, name } = ticket
  await app.database.tx(ownerId, async tx => {
    await bindWechat(tx, ticket, uuid, openId, new Date(app.clock()))
    await audit(tx, { ownerId, operatorId: 0, name: `${name}（扫码绑定）`, ip, requestId }, [
      {
        action: 'update',
        entity: 'resident',
        entityId: residentId,
        before: { wechatBind: false },
        after: { wechatBind: true },
        reason: '绑定微信',
      },
    ])
  })
})

const cancelResidentWechatHandler = anonymous(cancelResidentWechat, async ({ uuid }, context) => {
  await advanceTicket(context, uuid, ['waiting', 'scanned'], 'refused')
})

const unbindResidentWechatHandler = writes(unbindResidentWechat, async ({ id, reason }, { tx, scope }) => {
  const person = await requireResident(tx, scope, id, { lock: true })
  if (!person.wechatBind) return refuse(`「${person.name}」未绑定微信`)
  await tx.execute(
    sql`
      update resident
      set run_wechat = null, wechat_bind = false, run_wechat_time = null, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'update',
      entity: 'resident',
      entityId: id,
      before: { wechatBind: true },
      after: { wechatBind: false },
      reason,
    },
  ])
})

export const wechatHandlers = [
  createResidentQrHandler,
  getResidentQrStateHandler,
  scanResidentQrHandler,
  confirmResidentWechatHandler,
  cancelResidentWechatHandler,
  unbindResidentWechatHandler,
]
