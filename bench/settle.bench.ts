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
import { settleDirectly, type UnpaidBill } from './settle-directly.ts'

export const name = 'settle'

const cashiers = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = 5

/** A server that has run all morning is warm: payments before the measuring begins. */
const warmupPayments = 1000
const estates = 4

/** Unpaid bills of rooms of a few estates, so that receipts of one estate are waited for as in life. */
async function seedBills(c: pg.Client, ownerId: Id, from: number, count: number): Promise<UnpaidBill[]> {
  await c.query(`
    insert into bill (
      owner_id, project_code, bill_no, source_type, source_code, source_name, build_code, payer_name,
      fee_item_id, fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state,
      bill_source, run_free
    )
    select ${ownerId}, 'P' || lpad((1 + n % ${estates})::text, 7, '0'), 'ZD' || lpad(n::text, 12, '0'), 10,
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

/** A connection for each cashier. */
const openLines = (url: string, ownerId: Id): Promise<pg.Client[]> =>
  Promise.all(
    Array.from({ length: cashiers }, async () => {
      const line = new pg.Client(url)
      await line.connect()
      await line.query(`select set_config('app.owner_id', '${ownerId}', false)`)
      return line
    }),
  )

type Settle = (bill: UnpaidBill, cashier: number) => Promise<unknown>

/** Measures how many bills a second are settled, everybody taking the next one until the time is over. */
function createRate(client: pg.Client, ownerId: Id): (settle: Settle, count?: number) => Promise<number> {
  let from = 1
  return async (settle, count = seconds * 1200) => {
    const list = await seedBills(client, ownerId, from, count)
    from += list.length
    // As autovacuum has done in a server that has run all morning.
    await client.query('analyze')
    const until = count === warmupPayments ? Infinity : performance.now() + seconds * 1000
    const began = performance.now()
    let done = 0
    const work = async (cashier: number): Promise<void> => {
      for (let bill = list.pop(); bill && performance.now() < until; bill = list.pop()) {
        await settle(bill, cashier)
        done++
      }
    }
    await Promise.all(Array.from({ length: cashiers }, (_, cashier) => work(cashier)))
    const took = performance.now() - began
    await pause(50)
    return (done / took) * 1000
  }
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
  const lines = await openLines(url, scope.ownerId)
  const rate = createRate(c, scope.ownerId)
  let uuid = 0
  const settleOurs = (bill: UnpaidBill): Promise<unknown> => {
    const amount = asFen(Math.round(Number(bill.sum) * 100))
    return t.call(
      payBills,
      {
        projectCode: bill.project,
        billIds: [String(bill.id)],
        expectAmount: amount,
        methods: [{ method: 'cash', amount }],
      },
      { token, uuid: `ours-${++uuid}` },
    )
  }
  const settleRaw = (bill: UnpaidBill, cashier: number): Promise<void> =>
    settleDirectly(defined(lines[cashier]), scope.ownerId, bill, ++uuid)
  try {
    await rate(settleOurs, warmupPayments)
    await rate(settleRaw, warmupPayments)
    const pairs: { ours: number; raw: number }[] = []
    for (let i = 0; i < rounds; i++) {
      pairs.push({ ours: await rate(settleOurs), raw: await rate(settleRaw) })
    }
    const middle = defined(pairs.toSorted((a, b) => a.ours / a.raw - b.ours / b.raw)[Math.floor(rounds / 2)])
    return [
      atLeast(0.75, {
        label: `收款：${cashiers} 个收银员同时`,
        ours: middle.ours,
        raw: middle.raw,
        unit: '次/s',
      }),
    ]
  } finally {
    for (const line of lines) {
      await line.end()
    }
    await c.end()
    await store.close()
    await t.close()
  }
}
