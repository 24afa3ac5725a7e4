import { addDays, type Day, padDigits } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import type { PayMethod } from '#modules/payments/server/tenders.ts'
import { deposit, depositEntry } from '#modules/deposits/contract/deposit.ts'
import { cashierHandover } from '#modules/payments/contract/day-close.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { feeRefund } from '#modules/payments/contract/refund.ts'
import { resolvePayer, settle } from '#modules/payments/server/public.ts'
import { finishRefund } from '#modules/payments/server/refund-completion.ts'
import { sumHandover } from '#modules/payments/server/handover.ts'
import { prestoreSetting } from '#modules/prestore/contract/setting.ts'
import { postEntries, ensurePrepaidAccount } from '#modules/prestore/server/ledger.ts'
import { deductRoom } from '#modules/prestore/server/deduction.ts'
import '#modules/prestore/server/tender.ts'
import { rebuildDays } from '#modules/fee-reports/server/till-days.ts'
import { ownerScope } from './seed-estate.ts'

const payMethods: readonly PayMethod[] = [
  'cash',
  'wechatTransfer',
  'transfer',
  'cash',
  'alipayTransfer',
  'posOffline',
  'cash',
  'wechatTransfer',
]

interface RoomBills {
  readonly code: string
  readonly name: string
  readonly building: string
  readonly ids: readonly number[]
}

const roundUpToHundredYuan = (fen: Fen): Fen => Math.ceil(fen / 10_000) * 10_000

/** Takes money for a room at a moment, by a way that follows from `i`; cash comes in whole hundreds. */
async function takePayment(
  tx: Tx,
  who: Scope,
  project: string,
  p: RoomBills,
  i: number,
  at: Moment,
): Promise<number | undefined> {
  const bills = (await payableBills(tx, who, p.ids, dayOfMoment(at), true)).filter(
    s => s.row.payState === 'unpaid' && s.row.state === 'normal',
  )
  const method = payMethods[i % payMethods.length]!
  if (!bills.length) return undefined
  const takes = bills.map(s => ({ billId: s.row.id, principal: s.owed.principal, late: s.owed.late }))
  const due = sumFen(takes.map(t => t.principal + t.late))
  const got = method === 'cash' ? roundUpToHundredYuan(due) : due
  return (
    await settle(tx, who, {
      projectCode: project,
      type: 'payment',
      bills,
      allocations: takes,
      tenders: [{ method, amount: got }],
      change: got - due,
      toPrestore: 0,
      payer: resolvePayer(bills, {}),
      at,
      cashier: { id: who.operatorId, name: who.name },
    })
  ).recordId
}

/**
 * Three weeks at the till of an estate: payments by several ways, prestore with deductions, a refund done and
 * one that waits, a hand-over of all but the last day confirmed, the days before it closed. Paid by the
 * ledger itself, so that bills, records and receipts agree.
 */
export async function seedPayments(
  database: Database,
  owner: Scope,
  project: string,
  cashierLogin: string,
  chiefLogin: string,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  const yesterday = addDays(today, -1)
  await database.tx(owner.ownerId, async tx => {
    const people = new Map(
      (
        await tx.rows<{ id: number; login: string; name: string }>(
          sql`
            select id, login_code as login, real_name as name
            from manager
            where owner_id = ${owner.ownerId} and login_code = any(${[cashierLogin, chiefLogin]})
          `,
        )
      ).map(m => [m.login, ownerScope(owner.ownerId, m.id, m.name)]),
    )
    const till = people.get(cashierLogin)!
    const chief = people.get(chiefLogin)!
    const places = await tx.rows<RoomBills>(sql`
        select b.source_code as code, min(b.source_name) as name, min(b.build_code) as building,
          array_agg(b.id order by b.due_date, b.id) as ids
        from bill b
        where b.owner_id = ${owner.ownerId}
          and b.project_code = ${project}
          and b.source_type = 10
          and b.state = 20
          and b.pay_state = 0
          and b.delete_tag = 0
          and b.create_time < ${`${addDays(today, -20)} 00:00:00`}::timestamptz
        group by b.source_code
        order by min(b.source_name) collate "C"
        limit 130
      `)
    const made: number[] = []
    for (const [i, p] of places.slice(0, 96).entries()) {
      const back = 20 - Math.floor(i / 4.5)
      const at: Moment =
        back > 0
          ? `${addDays(today, -back)} ${padDigits(9 + (i % 5))}:${padDigits((i * 7) % 60)}:20`
          : addMinutes(now, -2 * (96 - i))
      const some = i % 6 === 5 ? { ...p, ids: p.ids.slice(0, Math.max(1, Math.floor(p.ids.length / 2))) } : p
      const id = await takePayment(tx, till, project, some, i, at)
      if (id) {
        made.push(id)
      }
    }
    // Prestore: topped up, one with a bonus; some of it pays what is owed.
    const set = await insert(tx, prestoreSetting, owner, {
      projectCode: project,
      autoDeduct: true,
      onlyDue: true,
      deductLate: true,
      wholeBillOnly: false,
      giftFirst: false,
    })
    for (const [i, p] of places.slice(96, 120).entries()) {
      const at: Moment = `${addDays(today, -(2 + (i % 17)))} 14:${padDigits(10 + i)}:00`
      const amount = [100_000, 200_000, 50_000, 300_000][i % 4]!
      const purse = await ensurePrepaidAccount(
        tx,
        till,
        project,
        { kind: 'room', code: p.code },
        p.name,
        0,
        p.building,
      )
      await settle(tx, till, {
        projectCode: project,
        type: 'prestore',
        bills: [],
        allocations: [],
        tenders: [{ method: payMethods[i % payMethods.length]!, amount }],
        change: 0,
        toPrestore: amount,
        payer: {},
        sourceName: p.name,
        at,
        cashier: { id: till.operatorId, name: till.name },
        creditPrestore: (x, sum, recordId) =>
          postEntries(
            x,
            till,
            [
              { accountId: purse.id, type: 'topUp', amount: sum, recordId },
              ...(amount >= 300_000
                ? [
                    {
                      accountId: purse.id,
                      type: 'gift' as const,
                      amount: 10_000,
                      gift: true,
                      recordId,
                      remark: '预存满 3000 送 100',
                    },
                  ]
                : []),
            ],
            at,
          ),
      })
      if (i % 2) {
        await deductRoom(
          tx,
          ownerScope(owner.ownerId, 0, '系统'),
          project,
          p.code,
          set,
          `${yesterday} 03:00:10`,
        )
      }
    }
    // Deposits of those who fit out: two that wait, four received.
    for (const [i, p] of places.slice(120, 126).entries()) {
      const at: Moment = `${addDays(today, -(2 + i * 3))} 10:${padDigits(20 + i)}:00`
      const amount = 200_000
      const got = i > 1
      const d = await insert(tx, deposit, till, {
        projectCode: project,
        depositNo: `YJ${today.replaceAll('-', '')}${String(i + 1).padStart(4, '0')}`,
        kind: 'fitting',
        roomCode: p.code,
        roomName: p.name,
        buildCode: p.building,
        amount,
        balance: got ? amount : 0,
        deducted: 0,
        refunded: 0,
        converted: 0,
        state: got ? 'received' : 'waiting',
        ...(got ? { receiveTime: at } : {}),
        remark: '装修申请已审核',
      })
      if (!got) continue
      const { recordId } = await settle(tx, till, {
        projectCode: project,
        type: 'deposit',
        bills: [],
        allocations: [],
        tenders: [{ method: payMethods[i]!, amount }],
        change: 0,
        toPrestore: 0,
        depositAmount: amount,
        payer: {},
        sourceName: p.name,
        at,
        cashier: { id: till.operatorId, name: till.name },
      })
      await tx.execute(
        sql`update deposit set record_id = ${recordId} where owner_id = ${owner.ownerId} and id = ${d.id}`,
      )
      await insert(tx, depositEntry, till, {
        projectCode: project,
        depositId: d.id,
        entryType: 'receive',
        amount,
        balanceBefore: 0,
        balanceAfter: amount,
        recordId,
        entryTime: at,
        operatorName: till.name,
      })
    }
    const lines = async (record: number) =>
      (
        await tx.rows<{ id: number; billId: number; principal: string }>(
          sql`
            select id, bill_id, (principal * 100)::bigint as principal
            from pay_detail
            where owner_id = ${owner.ownerId} and record_id = ${record}
            order by id
            limit 1
          `,
        )
      ).map(d => ({ detailId: d.id, billId: d.billId, principal: Number(d.principal), late: 0 }))
    const ask = async (record: number, reason: string, n: number) => {
      const r = await requireById(tx, payRecord, owner, record)
      const l = await lines(record)
      const amount = sumFen(l.map(x => x.principal))
      await tx.execute(
        sql`
          update pay_record
          set refunding_amount = ${formatYuan(amount)}
          where owner_id = ${owner.ownerId} and id = ${record}
        `,
      )
      return insert(tx, feeRefund, till, {
        projectCode: project,
        refundNo: `TKD${today.replaceAll('-', '')}${String(n).padStart(4, '0')}`,
        recordId: record,
        sourceName: r.sourceName,
        buildCode: r.buildCode,
        payerName: r.payerName,
        lines: l,
        amount,
        refundWay: 'cash',
        billAfter: 'owed',
        reason,
        applyBy: till.operatorId,
        applyName: till.name,
        state: 'pending',
      })
    }
    if (made.length > 40) {
      await ask(made[30]!, '重复缴费，业主申请退回', 1)
      const f = await ask(made[33]!, '收错房间', 2)
      await tx.execute(
        sql`
          update fee_refund
          set audit_by = ${chief.operatorId}, audit_name = ${chief.name},
            audit_time = ${`${yesterday} 16:20:00`}, audit_note = '已核对'
          where owner_id = ${owner.ownerId} and id = ${f.id}
        `,
      )
      await finishRefund(tx, till, await requireById(tx, feeRefund, owner, f.id), `${yesterday} 16:20:00`)
    }
    const sheet = async (
      until: Moment,
      hand: (cash: Fen) => Fen,
      confirmed: boolean,
      n: number,
    ): Promise<void> => {
      const s = await sumHandover(tx, owner.ownerId, project, till.operatorId, until)
      if (!s.count) return
      const h = await insert(tx, cashierHandover, till, {
        projectCode: project,
        handNo: `JZ${today.replaceAll('-', '')}${String(n).padStart(4, '0')}`,
        cashierId: till.operatorId,
        cashierName: till.name,
        beginTime: s.beginTime!,
        endTime: until,
        methods: s.methods,
        totalReceived: s.totalReceived,
        totalRefund: s.totalRefund,
        cashAmount: s.cashAmount,
        handAmount: hand(s.cashAmount),
        diff: hand(s.cashAmount) - s.cashAmount,
        remark: confirmed ? undefined : '找零少收 1 元',
        state: confirmed ? 'confirmed' : 'pending',
        ...(confirmed
          ? {
              confirmBy: chief.operatorId,
              confirmName: chief.name,
              confirmTime: `${addDays(dayOfMoment(until), 1)} 09:05:00`,
            }
          : {}),
      })
      await tx.execute(
        sql`
          update pay_record
          set handover_id = ${h.id}
          where owner_id = ${owner.ownerId}
            and project_code = ${project}
            and cashier_id = ${till.operatorId}
            and handover_id is null
            and pay_time <= ${until}
        `,
      )
    }
    await sheet(`${addDays(today, -8)} 18:00:00`, c => c, true, 1)
    await sheet(`${addDays(today, -2)} 18:00:00`, c => c, true, 2)
    await sheet(`${yesterday} 18:00:00`, c => c - 100, false, 3)
    await rebuildDays(
      tx,
      owner.ownerId,
      await tx.rows<{ project: string; day: Day }>(
        sql`
          select distinct project_code as project, pay_day as day
          from pay_record
          where owner_id = ${owner.ownerId} and project_code = ${project}
        `,
      ),
    )
    await tx.execute(sql`
      insert into day_close (
        owner_id, create_by, update_by, project_code, day, close_name, close_time, closed
      )
      select ${owner.ownerId}::bigint, ${chief.operatorId}::bigint, ${chief.operatorId}::bigint,
        ${project}::text, d::date, ${chief.name}::text,
        (d::date + 1)::timestamp + interval '9 hours 10 minutes', true
      from generate_series(${addDays(today, -20)}::date, ${addDays(today, -2)}::date, interval '1 day') d
    `)
  })
}
