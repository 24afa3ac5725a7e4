import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, addMonths, firstOfMonth, lastOfMonth, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type RawBuilder, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { generateNow } from '#modules/bills/server/generate.fixtures.ts'
import { batchPrefix, billPrefix } from '#modules/bills/server/bill-number.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { code } from '#kit/server/sql.ts'
import { billState, runKind } from '#modules/bills/contract/choices.ts'

/**
 * How many months before the running one the engine bills itself; the ones before them are made alike, by
 * set.
 */
const engineMonths = 1

/** The first of the engine's months. */
const firstRun = (today: Day): Day => firstOfMonth(addMonths(today, -engineMonths))

/** More than there are batches before the engine's, of all estates. */
const earlierRuns = 100

/** How far relations are billed before the demo's own bills. */
export const billedUntil = (today: Day): Day => addDays(firstRun(today), -1)

/** The first month of the demo's books, in months before the running one. */
export const monthsBack = 4

/**
 * The last months of an estate, each its own batch made on its first day; of the running one the parking fees
 * alone, the rest is left for trying the wizard.
 */
export async function seedEstateBills(
  database: Database,
  scope: Scope,
  project: string,
  today: Day,
): Promise<void> {
  // Numbers are left free for the batches of the months before, which are written later: the list stands by
  // number.
  await database.tx('*', tx =>
    tx.execute(
      sql`
        select setval(
          pg_get_serial_sequence('bill_run', 'id'),
          greatest(${earlierRuns}::bigint, (select last_value from bill_run_id_seq))
        )
      `,
    ),
  )
  for (let back = engineMonths; back >= 0; back--) {
    const day = firstOfMonth(addMonths(today, -back))
    const parking = back
      ? undefined
      : await database.reader(scope.ownerId).one<{ id: Id }>(
          sql`
              select id
              from fee_standard
              where owner_id = ${scope.ownerId}
                and project_code = ${project}
                and code = 'CW01'
                and delete_tag = 0
            `,
        )
    const run = await generateNow(
      database,
      scope,
      project,
      monthOf(day),
      day,
      parking ? { standardIds: [String(parking.id)] } : {},
    )
    await database.tx(scope.ownerId, tx =>
      tx.execute(
        sql`
          update bill_run
          set create_time = ${`${day} 02:00:04`}::timestamptz, end_time = ${`${day} 02:00:19`}::timestamptz,
            kind = ${code(runKind, 'nightly')}
          where owner_id = ${scope.ownerId} and id = ${run.id}
        `,
      ),
    )
  }
}

/**
 * When a bill of a batch was made: on the batch's day; readings of earlier months were billed on the first of
 * the next. Lists and histories are ordered by it.
 */
export const billCreateTime = sql`case
  when b.ref_type = 'reading' then least(
    (b.belong_month || '-01')::date + interval '1 month', substr(b.batch_no, 3, 8)::date
  )::date
  else substr(b.batch_no, 3, 8)::date
  end`

const copiedColumns = sql.raw(`
  owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
  payer_kind, payer_id, payer_name, payer_mobile, fee_item_id, fee_item_name, standard_id,
  relation_id, fee_type, qty, price, amount, state, bill_source, run_free
`)
const ownColumns = sql.raw(
  'id, bill_no, begin_date, end_date, belong_month, due_date, calc_snapshot, batch_no',
)

/** The bills of earlier months, copied from those that the engine made, in a table of this transaction. */
async function createEarlierTable(
  tx: Tx,
  ownerId: Id,
  project: string,
  today: Day,
  runs: Readonly<Record<string, string>>,
): Promise<void> {
  const first = firstRun(today)
  await tx.execute(sql`create temp table earlier on commit drop as with m as (
      select b.id as from_id, (b.begin_date - make_interval(months => s.back))::date as begin_date,
        case when b.end_date - b.begin_date > 31 then 3 else 1 end as months
      from (
        select id, owner_id, relation_id, begin_date, end_date,
          min(begin_date) over (partition by relation_id) as earliest
        from bill
        where owner_id = ${ownerId}
          and project_code = ${project}
          and fee_type = ${codeOf(feeType, 'cyclic')}
          and state = ${code(billState, 'normal')}
          and delete_tag = 0
          and jsonb_array_length(calc_snapshot -> 'parts') = 1
      ) b
      join fee_relation r on r.owner_id = b.owner_id and r.id = b.relation_id
      cross join generate_series(1, ${monthsBack - engineMonths}) s(back)
      where (
        b.begin_date = ${first}::date
        and b.end_date = ${lastOfMonth(first)}::date
        or b.begin_date = b.earliest
        and b.end_date = (b.begin_date + interval '3 months')::date - 1
        and s.back = 3
      )
        and r.begin_date <= (b.begin_date - make_interval(months => s.back))::date
    ),
      d as (
        select *, (begin_date + make_interval(months => months))::date - 1 as end_date,
          greatest(begin_date, ${firstOfMonth(addMonths(today, -monthsBack))}::date) as made
        from m
      )
    select ${copiedColumns}, nextval(pg_get_serial_sequence('bill', 'id')) as id, ''::text as bill_no,
      d.begin_date, d.end_date, to_char(d.begin_date, 'YYYY-MM') as belong_month,
      d.begin_date + (b.due_date - b.begin_date) as due_date,
      jsonb_set(
        b.calc_snapshot, '{parts}',
        jsonb_build_array(
          b.calc_snapshot -> 'parts' -> 0 || jsonb_build_object('begin', d.begin_date, 'end', d.end_date)
        )
      ) as calc_snapshot,
      ${JSON.stringify(runs)}::jsonb ->> to_char(d.made, 'YYYY-MM') as batch_no, d.made, b.receivable
    from d
    join (
      select ${copiedColumns}, id as from_id, begin_date, due_date, calc_snapshot, receivable
      from bill
      where owner_id = ${ownerId} and project_code = ${project}
    ) b on b.from_id = d.from_id
    order by d.begin_date, b.from_id`)
}

/**
 * The months before the engine's, as the temporary table `earlier`: each whole month and quarter as the first
 * one of its relation, moved back. They are written once it is known what was paid of them.
 */
export async function planEarlierBills(tx: Tx, scope: Scope, project: string, today: Day): Promise<void> {
  const ownerId = scope.ownerId
  const first = firstRun(today)
  const runs: Record<string, string> = {}
  for (let back = monthsBack; back > engineMonths; back--) {
    const day = firstOfMonth(addMonths(today, -back))
    runs[monthOf(day)] = await tx.numbers.next(ownerId, batchPrefix, day)
  }
  await createEarlierTable(tx, scope.ownerId, project, today, runs)
  const { n } = defined(await tx.one<{ n: number }>(sql`select count(*)::int as n from earlier`))
  await tx.execute(
    sql`
      update earlier e
      set bill_no = x.no
      from (
        select id, no
        from unnest(${await tx.numbers.nextMany(ownerId, billPrefix, first, n)}::text[]) with ordinality as l(no, n)
        join (select id, row_number() over (order by id) as n from earlier) i using (n)
      ) x
      where x.id = e.id
    `,
  )
}

/** Each bill's shares by month; the last month takes what rounding leaves. */
async function writeBillMonths(tx: Tx): Promise<void> {
  const days = sql`(
    least(e.end_date, (f + interval '1 month')::date - 1) - greatest(e.begin_date, f::date) + 1
  )`
  await tx.execute(sql`
    insert into bill_month (
      owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
    )
    select owner_id, id, month, project_code, fee_item_id, days,
      case
        when last then receivable - coalesce(
          sum(part) over (partition by id order by month rows between unbounded preceding and 1 preceding),
          0
        )
        else part
        end,
      0, 0
    from (
      select e.owner_id, e.id, e.project_code, e.fee_item_id, e.receivable, to_char(f, 'YYYY-MM') as month,
        ${days} as days, f::date = date_trunc('month', e.end_date)::date as last,
        div(e.receivable * 100 * ${days}, e.end_date - e.begin_date + 1) * 0.01 as part
      from earlier e
      cross join lateral generate_series(
        date_trunc('month', e.begin_date), e.end_date, interval '1 month'
      ) f
    ) x
  `)
}

/** The runs that made the earlier bills, numbered before those of the engine. */
async function writeBillRuns(tx: Tx, scope: Scope, project: string): Promise<void> {
  const ownerId = scope.ownerId
  await tx.execute(sql`
    insert into bill_run (
      owner_id, id, create_by, update_by, project_code, batch_no, kind, month, scope, total, done, after_id,
      made, behind, amount, state, message, create_time, end_time
    )
    select ${ownerId}::bigint,
      (
        select coalesce(max(id), 0) from bill_run where id <= ${earlierRuns}
      ) + row_number() over (order by made),
      ${scope.operatorId}::bigint,
      ${scope.operatorId}::bigint,
      ${project}::text,
      batch_no,
      20,
      to_char(made, 'YYYY-MM'),
      '{}',
      count(*),
      count(*),
      0,
      count(*),
      0,
      sum(amount),
      30,
      '生成 ' || count(*) || ' 张',
      made + interval '2 hours 4 seconds',
      made + interval '2 hours 19 seconds'
    from earlier
    group by batch_no, made
  `)
}

/**
 * Writes `earlier` down with what was paid of it (`paid`: id, sum, pay_time), with its months and its
 * batches.
 */
export async function writeEarlierBills(
  tx: Tx,
  scope: Scope,
  project: string,
  paid: RawBuilder<unknown>,
): Promise<void> {
  await tx.execute(sql`
    insert into bill (${copiedColumns}, ${ownColumns}, paid_principal, pay_state, pay_time, create_time, update_time)
    select e.owner_id, e.create_by, e.update_by, e.project_code, e.source_type, e.source_code,
      e.source_name, e.build_code, e.payer_kind, e.payer_id, e.payer_name, e.payer_mobile, e.fee_item_id,
      e.fee_item_name, e.standard_id, e.relation_id, e.fee_type, e.qty, e.price, e.amount, e.state,
      e.bill_source, e.run_free, e.id, e.bill_no, e.begin_date, e.end_date, e.belong_month,
      e.due_date, e.calc_snapshot, e.batch_no, coalesce(p.sum, 0), coalesce((p.sum = e.receivable)::int, 0),
      case when p.sum = e.receivable then p.pay_time end, e.made + interval '2 hours 10 seconds',
      e.made + interval '2 hours 10 seconds'
    from earlier e
    left join (${paid}) p on p.id = e.id
  `)
  await writeBillMonths(tx)
  await writeBillRuns(tx, scope, project)
}
