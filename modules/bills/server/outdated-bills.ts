import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { cycleType } from '#modules/fees/contract/choices.ts'
import { registerOutdatedBillCounter } from '#modules/fees/server/public.ts'
import { payState } from '../contract/choices.ts'
import { activeStates } from './bill-states.ts'

/**
 * Unpaid bills of a standard that were computed with a price that no longer applies to their days (FEE-6).
 * What decides is the last day of a reading and the first day of a one-time fee. Prices of prepaid bills were
 * promised and stay (TMP-3). Needs bill_standard.
 */
export const outdatedCondition = (
  ownerId: Id,
  standard: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`t.standard_id = ${standard}
  and t.state in ${activeStates}
  and t.pay_state = ${code(payState, 'unpaid')}
  and not t.is_pre
  and t.relation_id is not null
  and t.ref_type is distinct from 'pool'
  and t.calc_snapshot is not null
  and exists (
    select 1
    from fee_standard_version v
    join fee_standard s on s.owner_id = ${ownerId} and s.id = v.standard_id
    where v.owner_id = ${ownerId}
      and v.standard_id = t.standard_id
      and ${notDeleted('v')}
      and v.effective_date <= case
        when s.cycle_type = ${code(cycleType, 'once')} and t.ref_id is null then t.begin_date
        else t.end_date
        end
      and (
        v.end_date is null or v.end_date >= case when t.ref_id is null then t.begin_date else t.end_date end
      )
      and not exists (
        select 1
        from jsonb_array_elements(t.calc_snapshot -> 'parts') p
        where (p ->> 'version')::bigint = v.id
      )
  )`

registerOutdatedBillCounter(
  async (db, ownerId, standardId) =>
    defined(
      await db.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from (
          select 1
          from bill t
          where t.owner_id = ${ownerId} and ${notDeleted('t')} and ${outdatedCondition(ownerId, sql`${standardId}`)}
          limit 100000
        ) x
      `,
      ),
    ).n,
)
