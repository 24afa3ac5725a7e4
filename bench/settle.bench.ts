import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { asFen } from '#kit/domain/money.ts'
import { openDatabase } from '#kit/server/db.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { atLeast, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany } from './room-data.ts'
import { codeOf } from '#kit/contract/field.ts'
import { payState } from '#modules/bills/contract/choices.ts'

export const name = 'settle'

const cashiers = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = 5

/** A server that has run all morning is warm: payments before the measuring begins. */
const warmupPayments = 1000
const estates = 4

interface UnpaidBill {
  readonly id: Id
  readonly project: string
  readonly no: string
  readonly code: string
  readonly sum: string
}

/** Unpaid bills of rooms of a few estates, so that receipts of one estate are waited for as in life. */
async function seedBills(c: pg.Client, owner: Id, from: number, count: number): Promise<UnpaidBill[]> {
  await c.query(`
    insert into bill (
      owner_id, project_code, bill_no, source_type, source_code, source_name, build_code, payer_name,
      fee_item_id, fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state,
      bill_source, run_free
    )
    select ${owner}, 'P' || lpad((1 + n % ${estates})::text, 7, '0'), 'ZD' || lpad(n::text, 12, '0'), 10,
      'R' || n, '1-1-' || n, 'B001', '住户', 1, '物业费', 10, '2026-11-01', '2026-11-30', '2026-11',
      100 + n % 300, '2026-12-31', 20, 10, true
    from generate_series(${from}, ${from + count - 1}) n
  `)
  await c.query(
    `
      insert into bill_month (
        owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
      )
      select owner_id, id, '2026-11', project_code, 1, 30, amount, 0, 0
      from bill
      where bill_no >= 'ZD' || lpad('${from}', 12, '0')
    `,
  )
  return (
    await c.query<UnpaidBill>(
      `
        select id::int as id, project_code as project, bill_no as no, source_code as code, amount::text as sum
        from bill
        where bill_no >= 'ZD' || lpad('${from}', 12, '0')
        order by id
      `,
    )
  ).rows
}

/**
 * The same rows by nothing but the driver: the bill locked and written, its month, move, record, detail,
 * line, receipt, audit and the request's key, in as few statements as they are tables.
 */
async function settleDirectly(c: pg.Client, owner: Id, b: UnpaidBill, n: number): Promise<void> {
  const send = <Row extends pg.QueryResultRow>(
    statement: string,
    text: string,
    values: unknown[],
  ): Promise<pg.QueryResult<Row>> => c.query<Row>({ name: statement, text, values })
  await c.query('begin')
  await send(
    'key',
    'insert into idempotent_request (owner_id, operator_id, call, uuid, said) values ($1, 1, $2, $3, $4)',
    [owner, 'POST bare', `bare-${n}`, 'x'],
  )
  await send('lock', 'select * from bill where owner_id = $1 and id = $2 for update', [owner, b.id])
  await send(
    'paid',
    `
      update bill
      set paid_principal = $3,
        pay_state = ${codeOf(payState, 'paid')},
        pay_time = now(),
        version = version + 1,
        update_time = now()
      where owner_id = $1 and id = $2
    `,
    [owner, b.id, b.sum],
  )
  await send('unmonth', 'delete from bill_month where owner_id = $1 and bill_id = $2', [owner, b.id])
  await send(
    'month',
    `
      insert into bill_month (
        owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
      )
      values ($1, $2, '2026-11', $3, 1, 30, $4, 0, $4)
    `,
    [owner, b.id, b.project, b.sum],
  )
  const got = await send<{ last: number }>(
    'receipt',
    `
      insert into receipt_counter (owner_id, project_code, year, last)
      values ($1, $2, 2026, 1)
      on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + 1
      returning last
    `,
    [owner, b.project],
  )
  const made = await send<{ id: string }>(
    'record',
    `
      insert into pay_record (
        owner_id, project_code, record_no, record_type, receipt_no, source_name, build_code, payer_name,
        principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_id, cashier_name,
        state
      )
      values (
        $1, $2, next_code('SK'), 10, '2026-' || lpad($3::text, 6, '0'), '1-1-1', 'B001', '住户', $4, $4, 10,
        $5, now(), current_date, 1, '基准', 10
      )
      returning id
    `,
    [owner, b.project, defined(got.rows[0]).last, b.sum, JSON.stringify([{ method: 'cash', amount: 100 }])],
  )
  const { id } = defined(made.rows[0])
  await send(
    'detail',
    `
      insert into pay_detail (
        owner_id, record_id, bill_id, bill_no, source_type, source_code, source_name, fee_item_id,
        fee_item_name, begin_date, end_date, principal, late_fee
      )
      values ($1, $2, $3, $4, 10, $5, '1-1-1', 1, '物业费', '2026-11-01', '2026-11-30', $6, 0)
    `,
    [owner, id, b.id, b.no, b.code, b.sum],
  )
  await send(
    'line',
    'insert into pay_line (owner_id, record_id, seq, method, amount) values ($1, $2, 0, 10, $3)',
    [owner, id, b.sum],
  )
  await send(
    'move',
    `
      insert into bill_move (
        owner_id, bill_id, day, principal, late_fee, off, waived, ref_type, ref_id, create_by
      )
      values ($1, $2, current_date, $3, 0, 0, 0, 'pay', $4, 1)
    `,
    [owner, b.id, b.sum, id],
  )
  await send(
    'audit',
    `
      insert into audit_log (
        owner_id, operator_id, operator_name, ip, request_id, action, entity, entity_id, project_code, after
      )
      values ($1, 1, '基准', '', 'x', 'insert', 'payRecord', $2, $3, $4)
    `,
    [owner, id, b.project, JSON.stringify({ received: b.sum })],
  )
  await send(
    'answer',
    `
      update idempotent_request
      set answer = $4
      where owner_id = $1 and operator_id = 1 and call = $2 and uuid = $3
    `,
    [owner, 'POST bare', `bare-${n}`, JSON.stringify({ Code: 10000 })],
  )
  await c.query('commit')
}

/**
 * Payments a second by sixteen cashiers at once, the whole call against the bare transaction that writes the
 * same rows, turn about.
 */
export async function run({ database }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, estates, { withRooms: false })
  const c = new pg.Client(url)
  await c.connect()
  await c.query(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
  await c.query(
    `
      insert into fee_item (
        owner_id, id, code, name, fee_type, category, income_kind, bill_mode, scene, late_fee_switch, state
      )
      values (${scope.ownerId}, 1, 'B1', '物业费', 10, 10, 1, 1, 2, false, 10)
    `,
  )
  const store = openDatabase(url, { pool: cashiers, bulk: 1 })
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader, { database: store })
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const lines = await Promise.all(
    Array.from({ length: cashiers }, async () => {
      const l = new pg.Client(url)
      await l.connect()
      await l.query(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
      return l
    }),
  )
  let from = 1
  let uuid = 0
  /** How many a second each way, everybody taking the next bill until the time is over. */
  const rate = async (
    work: (b: UnpaidBill, cashier: number) => Promise<unknown>,
    count = seconds * 1200,
  ): Promise<number> => {
    const list = await seedBills(c, scope.ownerId, from, count)
    from += list.length
    // As autovacuum has done in a server that has run all morning.
    await c.query('analyze')
    const until = count === warmupPayments ? Infinity : performance.now() + seconds * 1000
    const began = performance.now()
    let done = 0
    await Promise.all(
      lines.map(async (_, i) => {
        for (let b = list.pop(); b && performance.now() < until; b = list.pop()) {
          await work(b, i)
          done++
        }
      }),
    )
    const took = performance.now() - began
    await pause(50)
    return (done / took) * 1000
  }
  const ours = (b: UnpaidBill): Promise<unknown> =>
    t.call(
      payBills,
      {
        projectCode: b.project,
        billIds: [String(b.id)],
        expectAmount: asFen(Math.round(Number(b.sum) * 100)),
        methods: [{ method: 'cash', amount: asFen(Math.round(Number(b.sum) * 100)) }],
      },
      { token, uuid: `ours-${++uuid}` },
    )
  try {
    await rate(ours, warmupPayments)
    await rate((b, i) => settleDirectly(defined(lines[i]), scope.ownerId, b, ++uuid), warmupPayments)
    const pairs: { ours: number; raw: number }[] = []
    for (let i = 0; i < rounds; i++) {
      pairs.push({
        ours: await rate(ours),
        raw: await rate((b, k) => settleDirectly(defined(lines[k]), scope.ownerId, b, ++uuid)),
      })
    }
    const middle = defined(pairs.toSorted((a, b) => a.ours / a.raw - b.ours / b.raw)[Math.floor(rounds / 2)])
    return [
      atLeast(0.5, {
        label: `收款：${cashiers} 个收银员同时`,
        ours: middle.ours,
        raw: middle.raw,
        unit: '次/s',
      }),
    ]
  } finally {
    for (const l of lines) {
      await l.end()
    }
    await c.end()
    await store.close()
    await t.close()
  }
}
