import type { Id } from '#kit/domain/id.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { sharePool } from '#modules/bills/contract/share-pool.ts'
import { roomType } from '#modules/rooms/contract/labels.ts'

/** A common cost that waits to be shared. */
export const seedPool = (database: Database, scope: Scope, project: string, today: Day): Promise<void> =>
  database.tx(scope.ownerId, async tx => {
    const s = await tx.one<{ id: Id; feeItemId: Id }>(
      sql`
        select id, fee_item_id
        from fee_standard
        where owner_id = ${scope.ownerId} and project_code = ${project} and code = 'GT01' and delete_tag = 0
      `,
    )
    if (!s) return
    await tx.execute(sql`
      insert into fee_relation (
        owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
        fee_item_id, standard_id, begin_date, multi, state
      )
      select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, project_code, 10,
        code, path, build_code, ${s.feeItemId}::bigint, ${s.id}::bigint, '2022-01-01', false, 10
      from room
      where owner_id = ${scope.ownerId}
        and project_code = ${project}
        and room_type = ${code(roomType, 'home')}
        and delete_tag = 0
    `)
    await insertAll(tx, sharePool, scope, [
      {
        projectCode: project,
        name: '公共照明与电梯用电',
        standardId: s.id,
        feeItemId: s.feeItemId,
        month: monthOf(addMonths(today, -1)),
        weightType: 'area',
        totalAmount: asFen(1_864_250),
        vacantIncluded: true,
        dayWeight: false,
        state: 'open',
        remark: '供电公司账单',
      },
    ])
  })
