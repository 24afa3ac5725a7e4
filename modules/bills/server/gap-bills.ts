import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { periodAfter } from '#modules/fees/contract/choices.ts'
import { billState } from '../contract/choices.ts'
import { effectiveStates } from './bill-states.ts'

/** Bill `f` no longer holds its days: it was abolished or deleted. Needs bill_freed. */
export const isFreed = sql<boolean>`(f.state = ${code(billState, 'abolished')} or f.delete_tag = 1)
  and f.relation_id is not null`

/** No single effective bill covers the days of bill `f`. */
export const isUncovered = (ownerId: Id): RawBuilder<boolean> => sql<boolean>`not exists (
  select
  from bill b
  where b.owner_id = ${ownerId}
    and b.project_code = f.project_code
    and b.source_type = f.source_type
    and b.source_code = f.source_code
    and b.fee_item_id = f.fee_item_id
    and ${notDeleted('b')}
    and b.state in ${effectiveStates}
    and b.begin_date <= f.begin_date
    and b.end_date >= f.end_date
)`

/**
 * Relation `t` may have a period in the middle that a run bills: of an abolished bill, before what it is
 * billed to, after what the former system charged (GEN-3). `rebill`: only where that was chosen.
 */
export const hasGap = (
  ownerId: Id,
  which: 'rebill' | 'unwaived',
): RawBuilder<boolean> => sql<boolean>`exists (
  select
  from bill f
  where f.owner_id = ${ownerId}
    and f.project_code = t.project_code
    and f.source_type = t.source_type
    and f.source_code = t.source_code
    and f.fee_item_id = t.fee_item_id
    and f.relation_id = t.id
    and ${isFreed}
    and f.begin_date <= t.billed_to
    and (t.run_floor is null or f.end_date > t.run_floor)
    and ${
      which === 'rebill'
        ? sql`f.period_after = ${code(periodAfter, 'rebill')}`
        : sql`f.period_after is distinct from ${code(periodAfter, 'waived')}`
    }
    and ${isUncovered(ownerId)}
)`
