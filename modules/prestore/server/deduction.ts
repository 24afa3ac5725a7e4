import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, toInstant, type Moment } from '#kit/domain/moment.ts'
import { addFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Database, type Tx } from '#kit/server/db.ts'
import { toRefused, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, systemScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deduct, payableBills, type DeductRules } from '#modules/bills/server/public.ts'
import { lockDays, resolvePayer, getPayRules, settle } from '#modules/payments/server/public.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { feeType, sourceType } from '#modules/fees/contract/choices.ts'
import { accountState, ownerKind } from '../contract/choices.ts'
import { deductRooms } from '../contract/account.ts'
import { type PrestoreSetting } from '../contract/setting.ts'
import { findPrepaidAccounts } from './ledger.ts'
import { loadPrestoreSetting } from './setting.ts'

export interface DeductionResult {
  readonly bills: number
  readonly amount: Fen
  readonly remaining: Fen
  readonly reason?: string
}

/** The unpaid bills of a room that may be deducted without being asked. */
async function findDeductibleBillIds(
  tx: Tx,
  ownerId: Id,
  project: string,
  roomCode: string,
  now: Moment,
): Promise<Id[]> {
  const rows = await tx.rows<{ id: Id }>(
    sql`
      select b.id
      from bill b
      join fee_item i on i.owner_id = ${ownerId} and i.id = b.fee_item_id
      where b.owner_id = ${ownerId}
        and b.project_code = ${project}
        and b.source_type = ${code(sourceType, 'room')}
        and b.source_code = ${roomCode}
        and ${notDeleted('b')}
        and b.state = ${code(billState, 'normal')}
        and b.pay_state = ${code(payState, 'unpaid')}
        and (b.lock_until is null or b.lock_until <= ${now})
        and i.auto_deduct
        and i.fee_type <> ${code(feeType, 'deposit')}
      order by b.id
    `,
  )
  return rows.map(row => row.id)
}

const nothingDeductedReason = (
  owed: Fen,
  accounts: readonly { readonly balance: Fen; readonly gift: Fen }[],
): string => {
  if (!owed) return '暂无欠费'
  return accounts.every(account => account.balance + account.gift === 0)
    ? '暂无预存余额'
    : '余额不足，或暂无到期账单'
}

const deductRulesOf = (setting: PrestoreSetting, order: DeductRules['order'], today: Day): DeductRules => ({
  order,
  giftFirst: setting.giftFirst,
  deductLate: setting.deductLate,
  wholeBillOnly: setting.wholeBillOnly,
  ...(setting.onlyDue ? { onlyDueBy: today } : {}),
  ...(setting.itemIds?.length ? { items: new Set(setting.itemIds.map(parseId)) } : {}),
})

/**
 * ACC-4, ACC-7 for one room: pays its bills from its accounts as one record 冲抵, if there is anything to do.
 */
export async function deductRoom(
  tx: Tx,
  scope: Scope,
  project: string,
  roomCode: string,
  setting: PrestoreSetting,
  now: Moment,
): Promise<DeductionResult> {
  const today = dayOfMoment(now)
  const ownerId = scope.ownerId
  await lockDays(tx, ownerId, project, [today])
  const billIds = await findDeductibleBillIds(tx, ownerId, project, roomCode, now)
  const payable = await payableBills(tx, scope, billIds, today, { lock: true })
  const roomAccounts = await findPrepaidAccounts(tx, ownerId, project, [{ kind: 'room', code: roomCode }], {
    lock: true,
  })
  const accounts = roomAccounts.filter(account => !account.frozen)
  const owed = sumFen(payable.map(bill => addFen(bill.owed.principal, bill.owed.late)))
  const rules = await getPayRules(tx, ownerId, project)
  const plan = deduct(
    accounts.map(({ id, itemId, balance, gift }) => ({ id, itemId, balance, gift })),
    payable.map(bill => ({ ...bill.owed, itemId: bill.row.feeItemId })),
    deductRulesOf(setting, rules.order, today),
  )
  const amount = sumFen(plan.paid.map(share => addFen(share.principal, share.late)))
  if (!amount) return { bills: 0, amount: 0, remaining: owed, reason: nothingDeductedReason(owed, accounts) }
  const paidIds = new Set(plan.paid.map(share => share.billId))
  const bills = payable.filter(bill => paidIds.has(bill.row.id))
  await settle(tx, scope, {
    projectCode: project,
    type: 'deduction',
    bills,
    allocations: plan.paid,
    tenders: [{ method: 'prestore', amount }],
    change: 0,
    toPrestore: 0,
    payer: resolvePayer(bills, {}),
    at: now,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: '预存冲抵',
    waiveRemainingLateFee: rules.waiveRemainingLateFee,
  })
  return { bills: plan.paid.length, amount, remaining: subtractFen(owed, amount) }
}

/** Rooms of a project that have both money and unpaid bills. */
const findDeductibleRooms = (
  db: Db,
  ownerId: Id,
  project: string,
  roomCodes: readonly string[] | undefined,
  auto: boolean,
): Promise<{ code: string; name: string; buildCode: string }[]> =>
  db.rows(sql`
    select r.code, r.path as name, r.build_code
    from room r
    where r.owner_id = ${ownerId}
      and r.project_code = ${project}
      and ${notDeleted('r')}
      and r.code in (
        select a.owner_code
        from prestore_account a
        where a.owner_id = ${ownerId}
          and a.project_code = ${project}
          and a.owner_kind = ${code(ownerKind, 'room')}
          and a.state = ${code(accountState, 'open')}
          and ${notDeleted('a')}
          and a.balance - a.refunding + a.gift_balance > 0 ${auto ? sql`and a.auto_deduct` : sql``}
      ) ${roomCodes?.length ? sql`and r.code = any(${roomCodes}::text[])` : sql``}
    order by r.sort_key
  `)

/**
 * Several rooms in one transaction: each receipt holds the project's counter to the end, so the day, all
 * their bills and all their accounts are locked first, in the usual order.
 */
async function lockAll(
  tx: Tx,
  ownerId: Id,
  project: string,
  roomCodes: readonly string[],
  now: Moment,
): Promise<void> {
  await lockDays(tx, ownerId, project, [dayOfMoment(now)])
  await tx.rows(
    sql`
      select 1 as found
      from bill
      where owner_id = ${ownerId}
        and project_code = ${project}
        and source_type = ${code(sourceType, 'room')}
        and source_code = any(${roomCodes}::text[])
        and ${notDeleted()}
        and state = ${code(billState, 'normal')}
        and pay_state = ${code(payState, 'unpaid')}
      order by id
      for update
    `,
  )
  await findPrepaidAccounts(
    tx,
    ownerId,
    project,
    roomCodes.map(roomCode => ({ kind: 'room' as const, code: roomCode })),
    { lock: true },
  )
}

export const deductionHandlers = [
  writes(deductRooms, async ({ projectCode, roomCodes, allRooms }, { tx, scope, now }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    // A caller that forgets the rooms must not move the money of the whole project.
    if (!roomCodes?.length && !allRooms) refuse('请指定要冲抵的房间；要冲抵整个项目，请选择“全部房间”')
    const setting = await loadPrestoreSetting(tx, scope, projectCode)
    const list = await findDeductibleRooms(tx, scope.ownerId, projectCode, roomCodes, false)
    const results: {
      code: string
      name: string
      deducted: Fen
      unpaid: Fen
      reason?: string | undefined
      bills: number
    }[] = []
    const visibleRooms = scope.domain.all
      ? list
      : list.filter(r => {
          const b = scope.domain.projects.get(projectCode)
          return b === null || b?.has(r.buildCode)
        })
    const batch = visibleRooms.slice(0, 2000)
    await lockAll(
      tx,
      scope.ownerId,
      projectCode,
      batch.map(r => r.code),
      now,
    )
    for (const room of batch) {
      const deduction = await deductRoom(tx, scope, projectCode, room.code, setting, now)
      results.push({
        code: room.code,
        name: room.name,
        deducted: deduction.amount,
        unpaid: deduction.remaining,
        reason: deduction.reason,
        bills: deduction.bills,
      })
    }
    const deducted = results.filter(s => s.deducted > 0)
    return {
      rooms: deducted.length,
      bills: deducted.reduce((n, s) => n + s.bills, 0),
      amount: sumFen(deducted.map(s => s.deducted)),
      rows: results,
    }
  }),
]

/**
 * ACC-5: each room in a transaction of its own; what one refuses does not stop the others. May run any number
 * of times. Returns how many rooms were deducted.
 */
export async function deductProject(
  database: Database,
  ownerId: Id,
  project: string,
  now: Moment,
): Promise<number> {
  const scope = systemScope(ownerId, new Date(toInstant(now)).toISOString())
  const setting = await loadPrestoreSetting(database.reader(ownerId), scope, project)
  let roomCount = 0
  if (setting.autoDeduct) {
    for (const row of await findDeductibleRooms(
      database.reader(ownerId),
      ownerId,
      project,
      undefined,
      true,
    )) {
      try {
        if (
          (await database.tx(ownerId, tx => deductRoom(tx, scope, project, row.code, setting, now))).amount
        ) {
          roomCount++
        }
      } catch (e) {
        if (!toRefused(e)) throw e
      }
    }
  }
  return roomCount
}
