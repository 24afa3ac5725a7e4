import { sql } from '#kit/server/db.ts'
import { registerProjectChildren, registerProjectRemoval } from '#kit/server/project-removal.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'

registerProjectChildren({ table: 'fee_standard_version', parent: 'fee_standard', column: 'standard_id' })

/** What is charged belongs to the company; what was defined for this project alone goes with it. */
registerProjectRemoval((tx, scope, { projectCode, since }) =>
  tx.execute(sql`
    update fee_item i
    set delete_tag = 1, ${touch(scope, 'i')}
    where i.owner_id = ${scope.ownerId}
      and ${notDeleted('i')}
      and i.create_time >= ${since}
      and exists (
        select 1
        from fee_standard s
        where s.owner_id = ${scope.ownerId}
          and s.owner_id = i.owner_id
          and s.fee_item_id = i.id
          and s.project_code = ${projectCode}
      )
      and not exists (
        select 1
        from fee_standard s
        where s.owner_id = ${scope.ownerId}
          and s.owner_id = i.owner_id
          and s.fee_item_id = i.id
          and s.project_code <> ${projectCode}
      )
  `),
)
