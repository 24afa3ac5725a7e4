import type { Id } from '#kit/domain/id.ts'
import { containsPattern } from '#kit/server/like-pattern.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { registerWorkTargets, type WorkTarget, type WorkTargetRules } from './kinds.ts'

const maxFound = 200

/** Records of another module with a project and a name, as objects of tasks. */
const loadNamed =
  (table: RawBuilder<unknown>): WorkTargetRules['load'] =>
  (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select id, name, project_code
      from ${table}
      where owner_id = ${ownerId}
        and ${notDeleted()}
        and ${
          'ids' in condition
            ? sql`id = any(${[...condition.ids] satisfies Id[]}::bigint[])`
            : sql`project_code = ${condition.projectCode}
                and name like ${containsPattern(condition.keyword ?? '')}`
        }
      order by name, id
      limit ${'ids' in condition ? condition.ids.length + 1 : maxFound}
    `)

registerWorkTargets('publicArea', { label: '公共区域', load: loadNamed(sql`public_area`) })
registerWorkTargets('device', { label: '设备', load: loadNamed(sql`device`) })
