import type { Id } from '#kit/domain/id.ts'
import { displayYuan, sumFen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { Refused, resultCode, refuse, invalidField } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { hasBuilding, hasProject, hasPermission, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { insert, remove, requireById, update } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { offlineMethods } from '#modules/payments/contract/choices.ts'
import { askForBalanceRefund, lockDays, lockReceivingDay, settle } from '#modules/payments/server/public.ts'
import { creditDeposit } from '#modules/prestore/server/public.ts'
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
import { insertEntry, payBack, requireHeldDeposit, withdraw } from './deposit-withdrawal.ts'

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

interface DepositRoom {
  readonly name: string
  readonly building?: string
  readonly payer?: string
}

async function findRoom(db: Db, scope: Scope, project: string, key: string): Promise<DepositRoom> {
  if (!hasProject(scope.domain, project)) throw outOfDomain()
  const found = await db.one<DepositRoom>(sql`
    select path as name, build_code as building, payer_name as payer
    from room
    where owner_id = ${scope.ownerId} and project_code = ${project} and code = ${key} and ${notDeleted()}
  `)
  if (!found) throw new Refused(resultCode.notFound, '房屋不存在或已被删除，请重新选择')
  if (found.building && !hasBuilding(scope.domain, project, found.building)) throw outOfDomain()
  return found
}

type TenderLines = NonNullable<typeof receiveDeposit.input.T>['methods']

/** The day of the cashier before the deposit (payments' `lockDays`). */
const lockToday = async (tx: Tx, scope: Scope, id: Id, now: Moment): Promise<unknown> =>
  lockDays(tx, scope.ownerId, (await requireById(tx, deposit, scope, id)).projectCode, [dayOfMoment(now)])

/** The record of type 押金 belongs to the cashier's day; the deposit is received whole, `at` that day. */
async function receiveMoney(
  c: WriteContext,
  depositRow: Deposit,
  methods: TenderLines,
  at: Moment,
): Promise<Deposit> {
  const { tx, scope } = c
  const sum = sumFen(methods.map(m => m.amount))
  if (depositRow.state !== 'waiting') refuse('押金已收取，请刷新')
  if (methods.some(m => !offlineMethodSet.has(m.method) || m.amount <= 0))
    throw invalidField('MethodJson', '押金请用现金、转账等方式收取，每种方式的金额应大于零')
  if (sum !== depositRow.amount)
    throw invalidField(
      'MethodJson',
      `押金应收 ${displayYuan(depositRow.amount)} 元，填写的合计是 ${displayYuan(sum)} 元`,
    )
  const done = await settle(tx, scope, {
    projectCode: depositRow.projectCode,
    type: 'deposit',
    bills: [],
    allocations: [],
    tenders: methods,
    change: 0,
    toPrestore: 0,
    depositAmount: sum,
    payer: { name: depositRow.payerName },
    sourceName: depositRow.roomName,
    buildCode: depositRow.buildCode,
    at,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: depositRow.remark,
  })
  await insertEntry(c, depositRow, 'receive', sum, at, { recordId: done.recordId })
  return update(tx, deposit, scope, depositRow.id, {
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
  writes(addDeposit, async ({ projectCode, roomCode, methods, ...draft }, c) => {
    const { tx, scope, now, today } = c
    const room = await findRoom(tx, scope, projectCode, roomCode)
    const depositNo = await tx.numbers.next(scope.ownerId, depositPrefix, today)
    if (methods?.length && !hasPermission(scope, menu.deposit.permissions.receive))
      refuse('收取押金需要「押金·收取」权限；可以先登记，由收费员收取')
    const at = methods?.length ? await lockReceivingDay(tx, scope.ownerId, projectCode, now, now) : now
    const made = await insert(tx, deposit, scope, {
      ...startValues(deposit),
      ...draft,
      projectCode,
      roomCode,
      roomName: room.name,
      buildCode: room.building,
      payerName: draft.payerName ?? room.payer,
      depositNo,
    })
    return methods?.length ? receiveMoney(c, made, methods, at) : made
  }),
  writes(receiveDeposit, async ({ id, methods }, c) => {
    const { tx, scope, now } = c
    const { projectCode } = await requireById(tx, deposit, scope, id)
    const at = await lockReceivingDay(tx, scope.ownerId, projectCode, now, now)
    return receiveMoney(c, await requireById(tx, deposit, scope, id, { lock: true }), methods, at)
  }),
  writes(deductDeposit, async ({ id, amount, ...details }, c) =>
    withdraw(c, await requireHeldDeposit(c, id, amount), 'deduct', amount, details),
  ),
  writes(refundDeposit, async ({ id, amount, method, reason }, c) => {
    const { tx, scope, now } = c
    await lockToday(tx, scope, id, now)
    const depositRow = await requireHeldDeposit(c, id, amount)
    if (!offlineMethodSet.has(method)) throw invalidField('Method', '押金请用现金或转账退还')
    const refund = await askForBalanceRefund(c, {
      subject: 'deposit',
      subjectId: id,
      projectCode: depositRow.projectCode,
      sourceName: depositRow.roomName,
      buildCode: depositRow.buildCode,
      payerName: depositRow.payerName,
      amount,
      method,
      reason,
    })
    if (!refund) return (await payBack(c, depositRow, { amount, method, reason })).after
    return { ...(await requireById(tx, deposit, scope, id)), refundNo: refund.refundNo }
  }),
  writes(convertDeposit, async ({ id, to, amount, reason }, c) => {
    const depositRow = await requireHeldDeposit(c, id, amount)
    if (to === 'prestore') {
      if (!depositRow.roomCode) return refuse('该笔押金没有房屋，不能转入房屋的预存；请退还后充值')
      await creditDeposit(c.tx, c.scope, {
        projectCode: depositRow.projectCode,
        roomCode: depositRow.roomCode,
        name: depositRow.roomName,
        building: depositRow.buildCode,
        amount,
        at: c.now,
        remark: `押金 ${depositRow.depositNo} 转入`,
      })
    }
    return withdraw(c, depositRow, to, amount, { reason })
  }),
  writes(deleteDeposit, async ({ id, reason }, { tx, scope }) => {
    const d = await requireById(tx, deposit, scope, id, { lock: true })
    if (d.state !== 'waiting') refuse('押金已收取，不能删除；请办理退还')
    await remove(tx, deposit, scope, [id], reason)
    return d
  }),
]
