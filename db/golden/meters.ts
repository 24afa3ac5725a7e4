import type { Id } from '#kit/domain/id.ts'
import { addDays, addMonths, firstOfMonth, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import { bindMeters } from '#modules/fees/server/public.ts'
import { analyzeTables } from './analyze.ts'
import { stampOf } from './stamp.ts'
import { meterKind } from '#modules/meters/contract/choices.ts'
import { meterPlan } from '#modules/meters/contract/meter.ts'
import { code, codes } from '#kit/server/sql.ts'
import { roomState, roomType } from '#modules/rooms/contract/labels.ts'

interface MeterPlan {
  readonly project: string
  /** Buildings whose power meters report automatically. */
  readonly smart: readonly string[]
  /** Read in the running month so far. */
  readonly done: readonly string[]
  /** Has a main water meter with those of its rooms under it. */
  readonly main: string
  readonly lobby: string
  readonly today: Day
}

/**
 * Usage of a meter in a month, the same on every machine: a household's habit, the season, now and then a
 * leak or nobody at home. `m` the meter, `n` the month from 1.
 */
const usageSql = sql`case
  when r.room_state in ${codes(roomState, 'unsold', 'pending', 'vacant')} then 0
  when n = 7 and m.id % 211 = 7 then 6
  else 1
  end * case m.meter_kind
  when 10 then 5 + m.id * 7919 % 13 + (m.id * 31 + n * 17) % 5
  else 90 + m.id * 7919 % 140 + case when n in (3, 4, 5) then 60 else 0
  end + (m.id * 31 + n * 17) % 30
  end`

/** An estate whose meters are seeded; `begin`: the day of the first numbers. */
interface MeterSeed extends MeterPlan {
  readonly tx: Tx
  readonly scope: Scope
  readonly begin: Day
}

async function insertRoomMeters({ tx, scope, project, smart, begin, today }: MeterSeed): Promise<void> {
  await tx.execute(sql`
    insert into meter (
      owner_id, create_by, update_by, project_code, meter_no, meter_kind, meter_use, source_type,
      source_code, source_name, sort_key, build_code, multiple, digits, decimals, init_num, install_date,
      is_smart, device_no, prepay_mode, verify_date, next_verify_date, location, state
    )
    select ${stampOf(scope)}, r.project_code, k.letter || r.code, k.kind, 1, 10, r.code, r.path, r.sort_key,
      r.build_code, 1, k.digits, k.decimals, 100 + r.id * 7919 % 900, ${begin}::date,
      k.kind = ${code(meterKind, 'power')} and r.build_code = any(${[...smart]}),
      case
        when k.kind = ${code(meterKind, 'power')}
          and r.build_code = any(${[...smart]}) then 'E' || lpad(r.id::text, 8, '0')
        end,
      1,
      case
        when k.kind = ${code(meterKind, 'cold')}
          then (${addDays(addMonths(today, -72), 19)}::date + (r.id % 40)::int)
        end,
      case
        when k.kind = ${code(meterKind, 'cold')} then (${addDays(today, 19)}::date + (r.id % 40)::int)
        end,
      case k.kind when 10 then '管道井' else '电表箱' end,
      case when r.id % 173 = 5 and k.kind = ${code(meterKind, 'cold')} then 40 else 10 end
    from room r
    cross join (
      values (10::smallint, 'S', 5, 1), (30::smallint, 'D', 6, 2)
    ) as k(kind, letter, digits, decimals)
    where r.owner_id = ${scope.ownerId}
      and r.project_code = ${project}
      and r.delete_tag = 0
      and r.room_type <> ${code(roomType, 'shop')}
    order by r.id, k.kind
  `)
}

/** The building's main meter sees a little more than its parts: pipes leak. */
async function insertAreaMeters({ tx, scope, project, main, lobby, begin, today }: MeterSeed): Promise<void> {
  await tx.execute(sql`
    insert into meter (
      owner_id, create_by, update_by, project_code, meter_no, meter_kind, meter_use, source_type,
      source_code, source_name, sort_key, build_code, multiple, digits, decimals, init_num, install_date,
      is_smart, prepay_mode, next_verify_date, location, state
    )
    select ${stampOf(scope)}, a.project_code, k.no, k.kind, k.use, 40, a.code, a.name, 'zz' || a.code, a.build_code,
      k.multiple, 6, 1, 1000, ${begin}::date, false, 1, ${addMonths(today, 7)}::date, k.place, 10
    from public_area a
    cross join (
      values ('ZS' || ${main}, 10::smallint, 3::smallint, 1, '地下一层水泵房'),
      ('GD' || ${lobby}, 30, 2, 20, '大堂配电间')
    ) as k(no, kind, use, multiple, place)
    where a.owner_id = ${scope.ownerId} and a.project_code = ${project} and a.code = ${lobby}
  `)
}

async function linkPartsToMain({ tx, scope, project, main }: MeterSeed): Promise<void> {
  await tx.execute(
    sql`
      update meter m
      set parent_meter_id = p.id
      from meter p
      where p.owner_id = ${scope.ownerId}
        and p.project_code = ${project}
        and p.meter_no = ${`ZS${main}`}
        and m.owner_id = p.owner_id
        and m.project_code = p.project_code
        and m.build_code = ${main}
        and m.meter_kind = ${code(meterKind, 'cold')}
        and m.meter_use = 1
    `,
  )
}

/** Seven readings of each meter; the last one in the running month, where the meter is read already. */
async function insertReadings({ tx, scope, project, done, begin, today }: MeterSeed): Promise<void> {
  await tx.execute(sql`
    with used as (
      select m.id, m.project_code, m.meter_no, m.meter_kind, m.build_code, m.multiple, m.is_smart,
        m.init_num, n, (${usageSql})::numeric as usage, m.parent_meter_id as parent
      from meter m
      join room r on r.owner_id = m.owner_id
        and r.project_code = m.project_code
        and r.code = m.source_code
        and r.delete_tag = 0
      cross join generate_series(1, 7) n
      where m.owner_id = ${scope.ownerId}
        and m.project_code = ${project}
        and m.meter_use = 1
        and (n < 7 or m.is_smart or m.build_code = any(${[...done]}) and m.id % 23 <> 4)
    ),
      all_used as (
        select *
        from used
        union all
        select m.id, m.project_code, m.meter_no, m.meter_kind, m.build_code, m.multiple, false, m.init_num,
          n,
          case m.meter_use
            when 3 then coalesce(
              (select round(sum(u.usage) * 1.043, 1) from used u where u.parent = m.id and u.n = s.n), 0
            )
            else (38 + n * 3) * m.multiple
            end,
          null::bigint
        from meter m
        cross join generate_series(1, 7) s(n)
        where m.owner_id = ${scope.ownerId} and m.project_code = ${project} and m.meter_use <> 1
      ),
      counted as (
        select *, init_num + sum(usage / multiple) over (partition by id order by n) as cur,
          least((${begin}::date + make_interval(months => n))::date, ${today}::date) as day,
          lag(
            (${begin}::date + make_interval(months => n))::date, 1, ${begin}::date
          ) over (partition by id order by n) as last_day
        from all_used
      )
    insert into meter_reading (
      owner_id, create_by, update_by, project_code, meter_id, meter_no, meter_kind, build_code, month,
      last_num, cur_num, last_date, read_date, multiple, usage, source, anomalies, confirmed, reader_id,
      state
    )
    select ${stampOf(scope)}, project_code, id, meter_no, meter_kind, build_code, to_char(day, 'YYYY-MM'),
      cur - usage / multiple, cur, last_day, day, multiple, usage,
      case when is_smart then 40 when id % 3 = 0 then 20 else 10 end,
      case when usage = 0 then array['zero'] when n = 7 and id % 211 = 7 then array['high'] end,
      usage = 0 and n < 7, case when is_smart then null else ${scope.operatorId}::int end, 10
    from counted
  `)
}

/** Why some meters were not read in the running month. */
async function insertUnread({ tx, scope, project, done, today }: MeterSeed): Promise<void> {
  await tx.execute(sql`
    insert into meter_unread (owner_id, meter_id, month, reason, remark, create_by)
    select owner_id, id, ${monthOf(today)}, case id % 3 when 0 then 10 when 1 then 20 else 30 end,
      case id % 3 when 0 then '两次上门无人' when 1 then '表盘起雾看不清' else '柜子挡住' end, ${scope.operatorId}
    from meter
    where owner_id = ${scope.ownerId}
      and project_code = ${project}
      and build_code = any(${[...done]})
      and id % 23 = 4
      and id % 2 = 0
      and not is_smart
  `)
}

async function insertMeterPlans({ tx, scope, project, begin, today }: MeterSeed): Promise<void> {
  await insertAll(tx, meterPlan, scope, [
    {
      projectCode: project,
      name: '住户水表月抄',
      meterKind: 'cold',
      readDay: Math.min(16, Number(today.slice(8))),
      windowDays: 10,
      strict: false,
      beginMonth: monthOf(addMonths(begin, 1)),
      readerIds: [String(scope.operatorId)],
      state: 'on',
    },
    {
      projectCode: project,
      name: '住户电表月抄',
      meterKind: 'power',
      readDay: Math.min(16, Number(today.slice(8))),
      windowDays: 8,
      strict: false,
      beginMonth: monthOf(addMonths(begin, 1)),
      readerIds: [String(scope.operatorId)],
      state: 'on',
    },
  ])
}

/** Binds the meters of a kind in homes to the fee standard with this code. */
async function bindStandard(
  { tx, scope, project, begin }: MeterSeed,
  standardCode: string,
  kind: number,
): Promise<void> {
  const standard = await tx.one<{ id: Id }>(
    sql`
      select id
      from fee_standard
      where owner_id = ${scope.ownerId} and project_code = ${project} and code = ${standardCode}
    `,
  )
  if (!standard) return
  const meters = await tx.rows<{
    id: Id
    no: string
    sourceCode: string
    sourceName: string
    buildCode?: string
  }>(
    sql`
      select id, meter_no as no, source_code, source_name, build_code
      from meter
      where owner_id = ${scope.ownerId} and project_code = ${project} and meter_kind = ${kind} and meter_use = 1
    `,
  )
  await bindMeters(
    tx,
    scope,
    meters.map(meter => ({ ...meter, projectCode: project, sourceType: 'room' as const })),
    standard.id,
    begin,
  )
  await tx.execute(
    sql`
      update meter
      set standard_id = ${standard.id}
      where owner_id = ${scope.ownerId} and id = any(${meters.map(meter => meter.id)})
    `,
  )
}

/**
 * Water and power meters for the homes of an estate, read on the 20th for six months and in part in the
 * running one, by set: each statement may run once. A main meter with its parts, a meter of a lobby, plans
 * with their progress, some readings to be looked at, some meters that nobody could read.
 */
export async function seedMeters(tx: Tx, scope: Scope, plan: MeterPlan): Promise<void> {
  const seed = { ...plan, tx, scope, begin: addDays(addMonths(firstOfMonth(plan.today), -7), 19) }
  await insertRoomMeters(seed)
  await insertAreaMeters(seed)
  await analyzeTables(tx, 'room', 'meter')
  await linkPartsToMain(seed)
  await insertReadings(seed)
  await insertUnread(seed)
  await insertMeterPlans(seed)
  await bindStandard(seed, 'SF01', Number(codeOf(meterKind, 'cold')))
  await bindStandard(seed, 'DF01', Number(codeOf(meterKind, 'power')))
}
