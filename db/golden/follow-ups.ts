import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { lastDay, monthOf, firstDay } from '#kit/domain/month.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { billState, invoiceState, payState } from '#modules/bills/contract/choices.ts'
import { applyAbolish, type ActionContext } from '#modules/bills/server/actions.ts'
import { endBills } from '#modules/bills/server/end-charge.ts'
import { issueBatch } from '#modules/bills/server/public.ts'
import { feeType, relationState } from '#modules/fees/contract/choices.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { toPayer } from '#modules/fees/server/public.ts'
import { room } from '#modules/rooms/contract/room.ts'

type Demo = ActionContext & { readonly project: string }

/** The estate's last building with residents: journeys and pictures use the first ones. */
const lastBuilding = (demo: Demo) => sql`(
  select max(build_code)
  from room
  where owner_id = ${demo.scope.ownerId}
    and project_code = ${demo.project}
    and payer_id is not null
    and ${notDeleted()}
)`

/** Bills that were abolished while later ones stand: 漏账检查 asks what becomes of their days (GEN-3). */
async function abolishEarlierBills(tx: Tx, demo: Demo): Promise<void> {
  const rows = await findAll(
    tx,
    bill,
    demo.scope,
    { projectCode: demo.project, order: 'beginDate,id' },
    {
      where: [
        sql`t.build_code = ${lastBuilding(demo)}
          and t.state = ${code(billState, 'normal')}
          and t.pay_state = ${code(payState, 'unpaid')}
          and t.paid_principal = 0
          and t.urge_count = 0
          and t.invoice_state = ${code(invoiceState, 'none')}
          and t.fee_type = ${code(feeType, 'cyclic')}
          and exists (
            select
            from bill n
            where n.owner_id = ${demo.scope.ownerId}
              and n.relation_id = t.relation_id
              and n.begin_date > t.end_date
              and n.state = ${code(billState, 'normal')}
              and ${notDeleted('n')}
          )`,
      ],
      limit: 40,
    },
  )
  const [first, second, third] = [...Map.groupBy(rows, b => b.sourceCode).values()].flatMap(
    ([earliest]) => earliest ?? [],
  )
  const chosen = [first, second, third].flatMap(b => b?.id ?? [])
  await applyAbolish(
    tx,
    { ...demo, reason: '账期录入有误' },
    await findByIds(tx, bill, demo.scope, chosen, { lock: true }),
  )
}

/** A charge that ended in the middle of a month that is paid: 待处理账单 offers the rest back (CYC-9). */
async function endPaidCharges(tx: Tx, demo: Demo): Promise<void> {
  const end = addDays(firstDay(monthOf(demo.today)), -11)
  const relations = await tx.rows<{ id: Id; billedTo: Day; sourceName: string }>(sql`
    select r.id, r.billed_to, r.source_name
    from fee_relation r
    join bill b on b.owner_id = ${demo.scope.ownerId}
      and b.relation_id = r.id
      and b.begin_date <= ${end}::date
      and b.end_date = ${lastDay(monthOf(end))}::date
      and b.pay_state = ${code(payState, 'paid')}
      and b.invoice_state = ${code(invoiceState, 'none')}
      and b.build_code = ${lastBuilding(demo)}
      and b.fee_type = ${code(feeType, 'cyclic')}
      and ${notDeleted('b')}
    where r.owner_id = ${demo.scope.ownerId}
      and r.state = ${code(relationState, 'charging')}
      and r.end_date is null
      and ${notDeleted('r')}
    order by r.id desc
    limit 2
  `)
  const ids = relations.map(r => r.id)
  await tx.execute(sql`
    update fee_relation
    set end_date = ${end}::date, stop_reason = '住户搬离', state = ${code(relationState, 'ended')}
    where owner_id = ${demo.scope.ownerId} and id = any(${ids}::bigint[])
  `)
  await endBills(
    tx,
    { ...demo, reason: '住户搬离' },
    relations.map(r => ({ ...r, endDate: end })),
  )
}

/**
 * A deposit that waits at the cashier as a bill: in the lists, in no report of what is receivable (C27-8).
 */
async function chargeDeposit(tx: Tx, demo: Demo): Promise<void> {
  const [item] = await findAll(
    tx,
    feeItem,
    demo.scope,
    {},
    { where: [sql`t.fee_type = ${code(feeType, 'deposit')}`], limit: 1 },
  )
  const [home] = await findAll(
    tx,
    room,
    demo.scope,
    { projectCode: demo.project },
    {
      where: [sql`t.build_code = ${lastBuilding(demo)} and t.payer_id is not null`],
      limit: 1,
    },
  )
  if (!item || !home?.code) return
  await issueBatch(
    tx,
    demo.scope,
    { project: demo.project, source: 'temporary' },
    'temporary',
    [
      {
        sourceType: 'room',
        sourceCode: home.code,
        sourceName: home.path,
        buildCode: home.buildCode,
        payer: toPayer('resident', home.payerId),
        item,
        begin: demo.today,
        end: demo.today,
        amount: asFen(200_000),
        dueDate: addDays(demo.today, 7),
        remark: '装修前收取',
      },
    ],
    demo.today,
    { message: `${item.name} 1 张` },
  )
}

/** What waits for a decision on a first start. */
export async function seedFollowUps(
  database: Database,
  scope: Scope,
  project: string,
  today: Day,
): Promise<void> {
  const now: Moment = `${today} 09:40:00`
  await database.tx(scope.ownerId, async tx => {
    const demo = { scope, project, today, now }
    await abolishEarlierBills(tx, demo)
    await endPaidCharges(tx, demo)
    await chargeDeposit(tx, demo)
  })
}
