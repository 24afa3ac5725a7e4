import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, type Day, padDigits } from '#kit/domain/day.ts'
import { addFen, asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { resolvePayer, settle } from '#modules/payments/server/public.ts'
import { ensureChannelBill, compareBill, replaceBillLines } from '#modules/reconcile/server/comparison.ts'
import type { ChannelLine } from '#modules/payments/server/public.ts'
import { writeGatewayFiles, type GatewayOrder, type OnlinePayment } from './gateway-files.ts'

interface BillOfRoom {
  readonly code: string
  readonly bill: Id
}

const channelCodes = { wechat: 10, alipay: 20 } as const
type ChannelName = keyof typeof channelCodes

/** An order that a channel was paid for; booked unless its callback is still to come. */
async function payOnline(
  tx: Tx,
  scope: Scope,
  project: string,
  which: ChannelName,
  p: BillOfRoom,
  at: Moment,
  n: number,
  booked = true,
): Promise<OnlinePayment | undefined> {
  const bills = (await payableBills(tx, scope, [p.bill], dayOfMoment(at), { lock: true })).filter(
    s => s.row.payState === 'unpaid' && s.row.state === 'normal',
  )
  const [b] = bills
  if (!b) return undefined
  const amount = addFen(b.owed.principal, b.owed.late)
  const payer = resolvePayer(bills, {})
  const no = `DD${at.slice(0, 10).replaceAll('-', '')}9${String(n).padStart(5, '0')}`
  const transactionId = `${which === 'wechat' ? '4200' : '2026'}00${at.slice(0, 10).replaceAll('-', '')}${String(n).padStart(14, '0')}`
  const lines = [{ billId: b.row.id, principal: b.owed.principal, late: b.owed.late }]
  const company = defined(
    await tx.one<{ name: string }>(
      sql`select company_name as name from property where owner_id = ${scope.ownerId}`,
    ),
  ).name
  const { id } = defined(
    await tx.one<{
      id: Id
    }>(sql`
    insert into pay_order (
      owner_id, project_code, order_no, order_type, pay_type, amount, order_obj, order_body, order_main,
      payer_kind, payer_id, payer_name, lines, channel, code_url, expire_time, scan_time, state, create_time
    )
    values (
      ${scope.ownerId}, ${project}, ${no}, 3, 4, ${formatYuan(amount)}, ${b.row.sourceName},
      ${b.row.feeItemName}, ${company}, ${payer.kind ? codeOf(payerSide, payer.kind) : null},
      ${payer.id ?? null}, ${payer.name ?? null}, ${JSON.stringify(lines)}, ${channelCodes[which]}, '', ${at},
      ${at}, 60, ${at}
    )
    returning id
  `),
  )
  const one = { no, id, transactionId, amount, at, title: `${company} ${b.row.feeItemName}` }
  if (booked) {
    await bookChannelBill(tx, scope, project, which, one, bills)
  }
  return one
}

async function bookChannelBill(
  tx: Tx,
  scope: Scope,
  project: string,
  which: ChannelName,
  p: OnlinePayment,
  bills: Awaited<ReturnType<typeof payableBills>>,
): Promise<void> {
  const { recordId } = await settle(tx, scope, {
    projectCode: project,
    type: 'payment',
    bills,
    allocations: bills.map(s => ({ billId: s.row.id, principal: s.owed.principal, late: s.owed.late })),
    tenders: [{ method: which, amount: p.amount }],
    change: 0,
    toPrestore: 0,
    payer: resolvePayer(bills, {}),
    order: p.id,
    at: p.at,
    cashier: { id: 0, name: '线上' },
  })
  await tx.execute(
    sql`
      update pay_order
      set state = 20, transaction_id = ${p.transactionId}, paid_time = ${p.at}, notify_source = 10,
        record_id = ${recordId}, pay_method = ${which === 'wechat' ? 70 : 100}
      where owner_id = ${scope.ownerId} and id = ${p.id}
    `,
  )
}

const channelLineOf = (p: OnlinePayment, amount = p.amount): ChannelLine => ({
  kind: 'pay',
  orderNo: p.no,
  transactionId: p.transactionId,
  refundNo: '',
  amount,
  status: 'SUCCESS',
  at: p.at,
})

/**
 * Four days of online payments beside the channels' bills: most agree; one order the callback never came for
 * was settled by the bill, one difference was dealt with, three wait. With a data folder the gateway
 * simulator knows the same days, so that pulling again finds the same.
 */
export async function seedReconcile(
  database: Database,
  scope: Scope,
  project: string,
  supervisor: string,
  dataDir: string | undefined,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  const orders: GatewayOrder[] = []
  const slips: object[] = []
  await database.tx(scope.ownerId, async tx => {
    const places = await tx.rows<BillOfRoom>(
      sql`
        select b.source_code as code, min(b.id) as bill
        from bill b
        where b.owner_id = ${scope.ownerId}
          and b.project_code = ${project}
          and b.source_type = 10
          and b.state = 20
          and b.pay_state = 0
          and b.delete_tag = 0
          and b.create_time < ${`${addDays(today, -20)} 00:00:00`}::timestamptz
        group by b.source_code
        order by min(b.source_name) collate "C"
        offset 150
        limit 40
      `,
    )
    let n = 0
    const pay = async (which: ChannelName, day: Day, count: number): Promise<OnlinePayment[]> => {
      const made: OnlinePayment[] = []
      for (let i = 0; i < count && n < places.length; i++, n++) {
        const p = await payOnline(
          tx,
          scope,
          project,
          which,
          defined(places[n]),
          `${day} ${padDigits(8 + i)}:${padDigits((n * 13) % 60)}:${padDigits((n * 7) % 60)}`,
          n,
        )
        if (p) {
          made.push(p)
          orders.push({ which, p })
        }
      }
      return made
    }
    const put = async (which: ChannelName, day: Day, lines: readonly ChannelLine[]) => {
      const b = await ensureChannelBill(tx, scope.ownerId, channelCodes[which], day)
      await replaceBillLines(tx, scope.ownerId, b, lines)
      await compareBill(tx, scope.ownerId, b, `${addDays(day, 1)} 10:20:08`)
      await tx.execute(
        sql`
          update channel_bill
          set pull_time = ${`${addDays(day, 1)} 10:20:08`}, operator_name = '系统'
          where owner_id = ${scope.ownerId} and id = ${b.id}
        `,
      )
      return b
    }
    for (let back = 4; back >= 1; back--) {
      const day = addDays(today, -back)
      const w = await pay('wechat', day, 4 + (back % 3))
      const a = await pay('alipay', day, back === 3 ? 0 : 2)
      const wl = w.map(p => channelLineOf(p))
      const al = a.map(p => channelLineOf(p))
      const slip = (channel: ChannelName, what: string, no: string, amount: Fen): void => {
        slips.push({ channel, day, slip: what, no, refundNo: '', amount })
      }
      if (back === 3 && places[n]) {
        // The callback never came: the bill showed it, and it was booked from there.
        const late = await payOnline(
          tx,
          scope,
          project,
          'wechat',
          defined(places[n]),
          `${day} 20:14:09`,
          n,
          false,
        )
        n++
        if (late) {
          orders.push({ which: 'wechat', p: late })
          await put('wechat', day, [...wl, channelLineOf(late)])
          const lines = defined(
            await tx.one<{ lines: { billId: Id }[] }>(
              sql`select lines from pay_order where owner_id = ${scope.ownerId} and id = ${late.id}`,
            ),
          ).lines
          await bookChannelBill(
            tx,
            scope,
            project,
            'wechat',
            late,
            await payableBills(
              tx,
              scope,
              lines.map(l => l.billId),
              day,
              { lock: true },
            ),
          )
          await put('wechat', day, [...wl, channelLineOf(late)])
        }
      } else if (back === 4 && w[0]) {
        const b = await put(
          'wechat',
          day,
          wl.map((l, i) => (i ? l : { ...l, amount: asFen(l.amount + 100) })),
        )
        slip('wechat', 'change', w[0].no, asFen(w[0].amount + 100))
        await tx.execute(
          sql`
            update reconcile_item
            set state = 30, handle_result = 40, handle_note = '渠道随机立减由渠道承担，实收无误', handler_name = ${supervisor},
              handle_time = ${`${addDays(day, 2)} 09:40:00`}
            where owner_id = ${scope.ownerId} and bill_id = ${b.id}
          `,
        )
        await tx.execute(
          sql`
            update channel_bill
            set open_count = 0, state = 20
            where owner_id = ${scope.ownerId} and id = ${b.id}
          `,
        )
      } else if (back === 1) {
        await put('wechat', day, [
          ...wl.slice(1),
          {
            kind: 'pay',
            orderNo: `DD${day.replaceAll('-', '')}777777`,
            transactionId: `4200${day.replaceAll('-', '')}77777777777777`,
            refundNo: '',
            amount: asFen(26_800),
            status: 'SUCCESS',
            at: `${day} 12:00:00`,
          },
        ])
        if (w[0]) {
          slip('wechat', 'leave', w[0].no, 0)
        }
        slip('wechat', 'add', `DD${day.replaceAll('-', '')}777777`, asFen(26_800))
      } else {
        await put('wechat', day, wl)
      }
      if (back === 2 && a[1]) {
        await put('alipay', day, [channelLineOf(defined(a[0])), channelLineOf(a[1], asFen(a[1].amount - 1))])
        slip('alipay', 'change', a[1].no, asFen(a[1].amount - 1))
      } else {
        await put('alipay', day, al)
      }
    }
  })
  if (dataDir !== undefined) {
    writeGatewayFiles(dataDir, orders, slips)
  }
}
