import type pg from 'pg'
import { openDatabase } from '#kit/server/db.ts'
import type { TestApp } from '#kit/server/fixtures/test-app.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { BillFilter } from '#modules/bills/contract/list.ts'
import { applyAbolish } from '#modules/bills/server/actions.ts'
import { billCondition } from '#modules/bills/server/bill-query.ts'
import { lockBills } from '#modules/bills/server/bill-lock.ts'
import { refreshLateFees } from '#modules/bills/server/late-fee-refresh.ts'
import { atMost, type BenchRow } from './bench.ts'
import { billCount, billsPerRoom } from './bill-data.ts'
import { codeOf } from '#kit/contract/field.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'

export const today = '2026-11-21'
export const now = `${today} 09:00:00` as const

/** The product, the same database on the bare driver, and the rows so far. */
export interface MeasuredDatabase {
  readonly app: TestApp
  readonly url: string
  readonly scope: Scope
  readonly client: pg.Client
  readonly rows: BenchRow[]
}

/** One and the same set twice: computed and written by the job, then written by the bare statement. */
export async function measureLateFees({ app, scope, client, rows }: MeasuredDatabase): Promise<void> {
  await client.query(
    `
      update bill
      set late_fee_due = 0, late_day = null
      where owner_id = ${scope.ownerId} and pay_state = ${codeOf(payState, 'unpaid')}
    `,
  )
  await client.query('vacuum analyze bill')
  let from = performance.now()
  const done = await refreshLateFees(app.database, scope.ownerId, '2026-11-22')
  const ours = performance.now() - from
  from = performance.now()
  await client.query(`
    update bill t
    set late_fee_due = least(
        round(t.unpaid_principal * 0.0005 * (date '2026-11-23' - t.due_date), 2), t.unpaid_principal
      ),
      late_day = '2026-11-23'
    from fee_item i
    where i.owner_id = t.owner_id
      and i.id = t.fee_item_id
      and i.late_fee_switch
      and t.owner_id = ${scope.ownerId}
      and t.delete_tag = 0
      and t.state = ${codeOf(billState, 'normal')}
      and t.pay_state = ${codeOf(payState, 'unpaid')}
      and t.due_date < '2026-11-23'
  `)
  rows.push(
    atMost(4, {
      label: `违约金重算 ${done.written} 张逾期账单（对一条 update）`,
      ours: ours / 1000,
      raw: (performance.now() - from) / 1000,
      unit: 's',
    }),
  )
}

/** A hundred thousand, by so many buildings of every project. */
export async function measureAbolition({ url, scope, client, rows }: MeasuredDatabase): Promise<void> {
  const buildingCount = Math.min(50, Math.ceil((100_000 / (billCount / billsPerRoom)) * 50))
  const codes = Array.from({ length: buildingCount }, (_, i) => `B${String(i + 1).padStart(3, '0')}`)
  const filter: BillFilter = { payState: ['unpaid'], buildCode: codes }
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  await client.query('vacuum analyze bill')
  let from = performance.now()
  const abolishedBills = await database.tx(scope.ownerId, async tx =>
    applyAbolish(
      tx,
      { scope, today, now, reason: '基准' },
      (await lockBills(tx, scope, billCondition(scope, filter, today, now))).slice(0, 100_000),
    ),
  )
  const ours = performance.now() - from
  await database.close()
  // The same bills again, as they were; `source_type` as in the product.
  await client.query(`
    update bill
    set state = ${codeOf(billState, 'normal')}, abolish_time = null, source_type = source_type
    where owner_id = ${scope.ownerId} and state = ${codeOf(billState, 'abolished')}
  `)
  await client.query('vacuum analyze bill')
  from = performance.now()
  await client.query(`
    update bill
    set state = ${codeOf(billState, 'abolished')},
      abolish_time = now(),
      version = version + 1,
      source_type = source_type
    where owner_id = ${scope.ownerId}
      and id in (
        select id
        from bill
        where owner_id = ${scope.ownerId}
          and build_code = any('{${codes.join(',')}}')
          and state = ${codeOf(billState, 'normal')}
          and pay_state = ${codeOf(payState, 'unpaid')}
          and delete_tag = 0
        order by id
        limit ${abolishedBills.success}
      )
  `)
  rows.push(
    atMost(8, {
      label: `按筛选作废 ${abolishedBills.success} 张，逐张判断、审计（对一条 update）`,
      ours: ours / 1000,
      raw: (performance.now() - from) / 1000,
      unit: 's',
    }),
  )
}
