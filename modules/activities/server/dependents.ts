import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import type { Resident } from '#modules/residents/contract/resident.ts'
import { onResidentsMerged } from '#modules/residents/server/public.ts'
import { activityState, signState } from '../contract/choices.ts'

// BASE-5
registerDependentRows('estate', {
  label: '活动',
  table: 'activity',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})
registerDependentRows('building', {
  label: '未结束的活动',
  table: 'activity',
  where: ({ projectCode, code: buildCode }: Building) => sql`
    project_code = ${projectCode}
    and ${buildCode} = any(build_codes)
    and state = ${code(activityState, 'published')}
  `,
})
registerDependentRows('feeItem', {
  label: '未结束的收费活动',
  table: 'activity',
  where: ({ id }: FeeItem) => sql`
    fee_item_id = ${id}
    and state in ${codes(activityState, 'draft', 'published')}
    and ${notDeleted()}
  `,
})
registerDependentRows('resident', {
  label: '活动报名',
  table: 'activity_sign',
  where: ({ id }: Resident) => sql`user_id = ${id} and state in ${codes(signState, 'signed', 'waiting')}`,
})

/** Where both were signed up, the kept one's counts: the other's stays as it was, under the merged record. */
onResidentsMerged(async (tx, { ownerId }, kept, merged) => {
  await tx.execute(sql`
    update activity_sign t
    set user_id = ${kept.id}
    where t.owner_id = ${ownerId}
      and t.id in (
        select distinct on (s.activity_id) s.id
        from activity_sign s
        where s.owner_id = ${ownerId}
          and s.user_id = any(${[...merged]}::bigint[])
          and s.state <> ${code(signState, 'cancelled')}
          and ${notDeleted('s')}
          and not exists (
            select 1
            from activity_sign o
            where o.owner_id = ${ownerId}
              and o.activity_id = s.activity_id
              and o.user_id = ${kept.id}
              and o.state <> ${code(signState, 'cancelled')}
              and ${notDeleted('o')}
          )
        order by s.activity_id, s.id
      )
  `)
})
