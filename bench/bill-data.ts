import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import pg from 'pg'

/**
 * Five bills a room, a fifth of them unpaid and overdue. `BENCH_BILLS=5000000` measures the large company.
 */
export const billCount = Number(process.env.BENCH_BILLS ?? 1_000_000)
export const billsPerRoom = 5

interface Definition {
  readonly name: string
  readonly def: string
}

type Run = <Row extends pg.QueryResultRow>(text: string) => Promise<pg.QueryResult<Row>>

/** Drops the indexes and constraints of the bills; the result creates them again. */
async function dropIndexes(run: Run): Promise<() => Promise<void>> {
  const indexes = (
    await run<Definition>(
      `
        select indexname as name, indexdef as def
        from pg_indexes
        where tablename = 'bill' and indexname not in ('bill_pkey', 'bill_overlap')
      `,
    )
  ).rows
  const overlap = defined(
    (
      await run<Definition>(
        `select pg_get_constraintdef(oid) as def from pg_constraint where conname = 'bill_overlap'`,
      )
    ).rows[0],
  )
  const foreignKeys = (
    await run<Definition>(
      `
        select conname as name, pg_get_constraintdef(oid) as def
        from pg_constraint
        where conrelid = 'bill'::regclass and contype = 'f'
      `,
    )
  ).rows
  await run(`set maintenance_work_mem = '1GB'`)
  await run('alter table bill drop constraint bill_overlap')
  for (const { name } of foreignKeys) {
    await run(`alter table bill drop constraint ${name}`)
  }
  for (const { name } of indexes) {
    await run(`drop index ${name}`)
  }
  return async () => {
    for (const { def } of indexes) {
      await run(def)
    }
    await run(`alter table bill add constraint bill_overlap ${overlap.def}`)
    for (const { name, def } of foreignKeys) {
      await run(`alter table bill add constraint ${name} ${def}`)
    }
  }
}

/** Bills in bulk: indexes are dropped before and recreated after, as a restore does. */
export async function seedBills(client: pg.Client, ownerId: Id): Promise<void> {
  const run: Run = text => client.query(text)
  await run(
    `
      insert into fee_item (
        owner_id, id, code, name, fee_type, category, income_kind, bill_mode, scene, late_fee_switch,
        late_rates, late_fee_cap_mode, late_fee_cap_value, state
      )
      values (${ownerId}, 1, 'B1', '物业费', 10, 10, 1, 1, 2, true, '[{"rate":"0.0005"}]', 1, 1, 10),
        (${ownerId}, 2, 'B2', '垃圾费', 10, 10, 1, 1, 2, true, '[{"rate":"0.0005"}]', 1, 1, 10)
    `,
  )
  const createIndexes = await dropIndexes(run)
  await run(`
    insert into bill (
      owner_id, id, run_split_root, project_code, bill_no, source_type, source_code, source_name, build_code,
      payer_name, fee_item_id, fee_item_name, fee_type, begin_date, end_date, belong_month, amount,
      paid_principal, due_date, state, pay_state, pay_time, bill_source, run_free
    )
    select ${ownerId}, x.n, x.n, r.project_code, 'ZD' || lpad(x.n::text, 14, '0'), 10, r.code, r.path,
      r.build_code, '住户', 1 + k % 2, case k % 2 when 0 then '物业费' else '垃圾费' end, 10, d.begin,
      (d.begin + interval '1 month - 1 day')::date, to_char(d.begin, 'YYYY-MM'), 200 + r.id % 200,
      case when paid then 200 + r.id % 200 else 0 end, (d.begin + 30)::date, 20, paid::int,
      case when paid then d.begin + 20 end, 10, false
    from room r
    cross join generate_series(0, ${billsPerRoom - 1}) k
    cross join lateral (
      select (date '2026-06-01' + make_interval(months => k))::date as begin, (r.id + k) % 5 <> 0 as paid
    ) d
    cross join lateral (select (r.id - 1) * ${billsPerRoom} + k + 1 as n) x
    where r.owner_id = ${ownerId}
  `)
  await createIndexes()
  await run(`select setval(pg_get_serial_sequence('bill', 'id'), (select max(id) from bill))`)
  await run('vacuum analyze bill')
}
