import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { billCreateTime } from './bills.ts'

/**
 * When each bill is paid, and how much of it. Of a thousand places sixty never pay; some pay every other
 * month, some a little late, some leave a month out or pay a part. Nobody pays so late that a late fee is
 * due.
 */
export const paidAtQuery = (ownerId: Id, project: string, kept: number, last: Day, until: Day) => sql`
  with named as (
    select source_code
    from bill
    where owner_id = ${ownerId}
      and project_code = ${project}
      and source_type = ${code(sourceType, 'room')}
      and state = ${code(billState, 'normal')}
      and ${notDeleted()}
    group by 1
    order by min(source_name) collate "C"
    limit ${kept}
  ),
    a as (
      select b.id, b.source_type, b.source_code, b.receivable, b.bill_no, ${billCreateTime} as made
      from bill b
      where b.owner_id = ${ownerId}
        and b.project_code = ${project}
        and b.state = ${code(billState, 'normal')}
        and b.pay_state = ${code(payState, 'unpaid')}
        and ${notDeleted('b')}
      union all
      select id, source_type, source_code, receivable, bill_no, made
      from earlier
    ),
    b as (
      select *, abs(hashtext(source_code)) % 1000 as h,
        abs(hashtext(source_code || made::text)) % 1000 as g, abs(hashtext(bill_no)) % 10 as k
      from a
      where receivable > 0
        and not (made >= ${last}::date and source_code in (select source_code from named))
    ),
    d as (
      select *,
        case
          when source_type = ${code(sourceType, 'parkPlace')} then made + 1 + g % 19
          when h < 380
            and (extract(month from made)::int + h) % 2 = 1 then (made + interval '1 month')::date + 2 + h % 10
          when h < 380 then made + 2 + h % 10
          when g >= 920 then (made + interval '1 month')::date + 1 + g % 11
          else made + 1 + g % 25
          end as day
      from b
      where h >= 60 and g < 960
    )
  select id as bill_id, source_type, source_code, day,
    case
      when g between 880 and 919
        and k < 4
        and source_type = ${code(sourceType, 'room')}
        and receivable > 20 then floor(receivable * 0.6)
      else receivable
      end as sum,
    abs(hashtext(source_code || day::text)) as dice
  from d
  where day <= ${until}::date
`
