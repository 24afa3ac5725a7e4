import type { Id } from '#kit/domain/id.ts'
import { firstDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { validReading } from './reading-conditions.ts'

/**
 * Columns of a meter `t` in its month. `p`: the newest valid reading before it; `r`: the reading of the
 * month; `b`: where registers go on from, as far back as a book looks.
 */
export const meterMonthColumns = (ownerId: Id, month: Month): RawBuilder<unknown> => sql`t.id as meter_id,
  t.meter_no,
  t.meter_kind,
  t.state as meter_state,
  t.source_name,
  t.build_code,
  t.location,
  trim_scale(t.multiple)::text as multiple,
  t.digits,
  t.decimals,
  t.is_smart,
  trim_scale(coalesce(r.last_num, p.cur_num, t.init_num))::text as before,
  coalesce(r.last_date, p.read_date, c.since, t.install_date) as before_day,
  coalesce(p.is_estimate, false) as after_estimate,
  trim_scale(case when p.id is null then coalesce(c.old_usage, 0) else 0 end)::text as carried,
  array(
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = ${ownerId}
      and x.meter_id = t.id
      and ${validReading('x')}
      and x.usage is not null
      and x.read_date < coalesce(r.read_date, ${firstDay(shiftMonth(month, 1))})
    order by x.read_date desc
    limit 3
  ) as recent,
  (
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = ${ownerId}
      and x.meter_id = t.id
      and ${validReading('x')}
      and x.month = ${shiftMonth(month, -12)}
      and x.read_date >= ${firstDay(shiftMonth(month, -13))}
    order by x.read_date
    limit 1
  ) as last_year,
  r.id as reading_id,
  r.version,
  trim_scale(r.cur_num)::text as cur_num,
  r.read_date,
  r.is_rollover,
  r.is_estimate,
  r.is_base,
  trim_scale(r.loss)::text as loss,
  trim_scale(r.usage)::text as usage,
  r.source,
  r.photo,
  r.confirmed,
  r.bill_no,
  r.remark,
  r.state,
  r.anomalies,
  coalesce(r.registers, b.registers) as registers,
  coalesce(p.registers is not null, false) as registers_go_on,
  u.reason as unread,
  u.remark as unread_remark`

export const meterMonthJoins = (ownerId: Id, month: Month): RawBuilder<unknown> => sql`left join lateral (
    select *
    from meter_reading x
    where x.owner_id = ${ownerId}
      and x.meter_id = t.id
      and x.month = ${month}
      and ${validReading('x')}
      and x.read_date >= ${firstDay(shiftMonth(month, -1))}
    order by x.read_date desc
    limit 1
  ) r on true
  left join lateral (
    select x.id, x.cur_num, x.read_date, x.is_estimate, x.registers
    from meter_reading x
    where x.owner_id = ${ownerId}
      and x.meter_id = t.id
      and ${validReading('x')}
      and x.read_date < coalesce(r.read_date, ${firstDay(shiftMonth(month, 2))})
      and (r.id is not null or x.month < ${month})
    order by x.read_date desc
    limit 1
  ) p on true
  left join lateral (
    select (
      select jsonb_agg(
        jsonb_build_object('name', e.v ->> 'name', 'last', e.v ->> 'current', 'price', e.v ->> 'price')
        order by e.n
      )
      from jsonb_array_elements(y.registers) with ordinality e(v, n)
    ) as registers
    from (
      select x.registers, x.read_date
      from meter_reading x
      where x.owner_id = ${ownerId}
        and x.meter_id = t.id
        and ${validReading('x')}
        and x.read_date <= p.read_date
      order by x.read_date desc
      limit 3
    ) y
    where y.registers is not null
    order by y.read_date desc
    limit 1
  ) b on true
  left join meter_replace c on c.owner_id = ${ownerId} and c.new_meter_id = t.id and ${notDeleted('c')}
  left join meter_unread u on u.owner_id = ${ownerId} and u.meter_id = t.id and u.month = ${month}`
