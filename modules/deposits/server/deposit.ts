import type { Id } from '#kit/domain/id.ts'
import { addFen, formatYuan, negateFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse, invalidField } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { hasBuilding, hasProject, hasPermission, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { insert, remove, requireById, update } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { offlineMethods } from '#modules/payments/contract/choices.ts'
import { lockDays, lockTakings, recordIncome, payOut, settle } from '#modules/payments/server/public.ts'
import { creditDeposit } from '#modules/prestore/server/public.ts'
import { depositEntryType } from '../contract/choices.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  deposit,
  depositEntries,
  deposits,
  deleteDeposit,
  exportDeposits,
  receiveDeposit,
  refundDeposit,
  type Deposit,
} from '../contract/deposit.ts'
import { menu } from '../module.ts'
import { depositPrefix } from './deposit-number.ts'
import { applyWithdrawal, withdrawalRefusal, type DepositEntryType } from '../domain/deposit.ts'

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

async function findRoom(
  db: Db,
  scope: Scope,
  project: string,
  key: string,
): Promise<{ name: string; building?: string; payer?: string }> {
  if (!hasProject(scope.domain, project)) throw outOfDomain()
  const found = await db.one<{ name: string; building?: string; payer?: string }>(
    sql`
      select path as name, build_code as building, payer_name as payer
      from room
      where owner_id = ${scope.ownerId} and project_code = ${project} and code = ${key} and ${notDeleted()}
    `,
  )
  if (!found) throw new Refused(resultCode.notFound, '房屋不存在或已被删除，请重新选择')
  if (found.building && !hasBuilding(scope.domain, project, found.building)) throw outOfDomain()
  return found
}

type TenderLines = NonNullable<typeof receiveDeposit.input.T>['methods']

interface EntryDetails {
  readonly recordId?: Id | undefined
  readonly evidence?: readonly string[] | undefined
  readonly reason?: string | undefined
}

const insertEntry = (
  tx: Tx,
  scope: Scope,
  d: Deposit,
  type: DepositEntryType,
  amount: Fen,
  at: Moment,
  t: EntryDetails,
): Promise<unknown> =>
  tx.execute(sql`
    insert into deposit_entry (
      owner_id, create_by, update_by, project_code, deposit_id, entry_type, amount, balance_before,
      balance_after, record_id, evidence, reason, entry_time, operator_name
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${d.projectCode}, ${d.id},
      ${codeOf(depositEntryType, type)}, ${formatYuan(amount)}, ${formatYuan(d.balance)},
      ${formatYuan(addFen(d.balance, amount))}, ${t.recordId ?? null},
      ${t.evidence ? [...t.evidence] : null}::text[], ${t.reason ?? null}, ${at}, ${scope.name}
    )
  `)

/** Money leaves a locked deposit, by one way; its entry and its new state in one. */
async function withdraw(
  tx: Tx,
  scope: Scope,
  d: Deposit,
  way: Exclude<DepositEntryType, 'receive'>,
  amount: Fen,
  at: Moment,
  t: EntryDetails,
): Promise<Deposit> {
  await insertEntry(tx, scope, d, way, negateFen(amount), at, t)
  if (d.recordId && (way === 'income' || way === 'deduct')) {
    await recordIncome(tx, scope.ownerId, d.recordId, amount, at)
  }
  return update(
    tx,
    deposit,
    scope,
    d.id,
    applyWithdrawal(d, way, amount),
    t.reason ? { reason: t.reason } : {},
  )
}

/** The day of the till before the deposit (payments' `lockDays`). */
const lockToday = async (tx: Tx, scope: Scope, id: Id, now: Moment): Promise<unknown> =>
  lockDays(tx, scope.ownerId, (await requireById(tx, deposit, scope, id)).projectCode, [dayOfMoment(now)])

async function requireHeldDeposit(tx: Tx, scope: Scope, id: Id, amount: Fen): Promise<Deposit> {
  const d = await requireById(tx, deposit, scope, id, true)
  const none = withdrawalRefusal(d)
  const more = withdrawalRefusal(d, amount)
  if (none) refuse(none)
  if (more) throw invalidField('Amount', more)
  return d
}

/** The record of type 押金 belongs to the till's day; the deposit is received whole, `at` that day. */
async function receiveMoney(
  tx: Tx,
  scope: Scope,
  d: Deposit,
  methods: TenderLines,
  at: Moment,
): Promise<Deposit> {
  const sum = sumFen(methods.map(m => m.amount))
  if (d.state !== 'waiting') refuse('押金已收取，请刷新')
  if (methods.some(m => !offlineMethodSet.has(m.method) || m.amount <= 0))
    throw invalidField('MethodJson', '押金请用现金、转账等方式收取，每种方式的金额应大于零')
  if (sum !== d.amount)
    throw invalidField(
      'MethodJson',
      `押金应收 ${formatYuan(d.amount)} 元，填写的合计是 ${formatYuan(sum)} 元`,
    )
  const done = await settle(tx, scope, {
    projectCode: d.projectCode,
    type: 'deposit',
    bills: [],
    allocations: [],
    tenders: methods,
    change: 0,
    toPrestore: 0,
    depositAmount: sum,
    payer: { name: d.payerName },
    sourceName: d.roomName,
    buildCode: d.buildCode,
    at,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: d.remark,
  })
  await insertEntry(tx, scope, d, 'receive', sum, at, { recordId: done.recordId })
  return update(tx, deposit, scope, d.id, {
    state: 'received',
    balance: sum,
    receiveTime: at,
    recordId: done.recordId,
  })
}

export const depositServer = joinServers(
  crudHandlers(deposits, { export: exportDeposits }),
  crudHandlers(depositEntries),
)

export const depositHandlers = [
  writes(addDeposit, async ({ projectCode, roomCode, methods, ...draft }, { tx, scope, now, today }) => {
    const room = await findRoom(tx, scope, projectCode, roomCode)
    const number = await tx.numbers.next(scope.ownerId, depositPrefix, today)
    if (methods?.length && !hasPermission(scope, menu.deposit.permissions.receive))
      refuse('收取押金需要「押金·收取」权限；可以先登记，由收费员收取')
    const at = methods?.length ? await lockTakings(tx, scope.ownerId, projectCode, now, now) : now
    const made = await insert(tx, deposit, scope, {
      ...draft,
      projectCode,
      roomCode,
      roomName: room.name,
      buildCode: room.building,
      payerName: draft.payerName ?? room.payer,
      depositNo: number,
      balance: 0,
      deducted: 0,
      refunded: 0,
      converted: 0,
      income: 0,
      state: 'waiting',
    })
    return methods?.length ? receiveMoney(tx, scope, made, methods, at) : made
  }),
  writes(receiveDeposit, async ({ id, methods }, { tx, scope, now }) => {
    const { projectCode } = await requireById(tx, deposit, scope, id)
    const at = await lockTakings(tx, scope.ownerId, projectCode, now, now)
    return receiveMoney(tx, scope, await requireById(tx, deposit, scope, id, true), methods, at)
  }),
  writes(deductDeposit, async ({ id, amount, reason, evidence }, { tx, scope, now }) =>
    withdraw(tx, scope, await requireHeldDeposit(tx, scope, id, amount), 'deduct', amount, now, {
      reason,
      evidence,
    }),
  ),
  writes(refundDeposit, async ({ id, amount, method, reason }, { tx, scope, now }) => {
    await lockToday(tx, scope, id, now)
    const d = await requireHeldDeposit(tx, scope, id, amount)
    if (!offlineMethodSet.has(method)) throw invalidField('Method', '押金请用现金或转账退还')
    const recordId = await payOut(tx, scope, {
      type: 'deposit',
      projectCode: d.projectCode,
      sourceName: d.roomName,
      buildCode: d.buildCode,
      amount,
      method,
      reason,
      at: now,
    })
    return withdraw(tx, scope, d, 'refund', amount, now, { reason, recordId })
  }),
  writes(convertDeposit, async ({ id, to, amount, reason }, { tx, scope, now }) => {
    const d = await requireHeldDeposit(tx, scope, id, amount)
    if (to === 'prestore') {
      if (!d.roomCode) return refuse('该笔押金没有房屋，不能转入房屋的预存；请退还后充值')
      await creditDeposit(tx, scope, {
        projectCode: d.projectCode,
        roomCode: d.roomCode,
        name: d.roomName,
        building: d.buildCode,
        amount,
        at: now,
        remark: `押金 ${d.depositNo} 转入`,
      })
    }
    return withdraw(tx, scope, d, to, amount, now, { reason })
  }),
  writes(deleteDeposit, async ({ id, reason }, { tx, scope }) => {
    const d = await requireById(tx, deposit, scope, id, true)
    if (d.state !== 'waiting') refuse('押金已收取，不能删除；请办理退还')
    await remove(tx, deposit, scope, [id], reason)
    return d
  }),
]
