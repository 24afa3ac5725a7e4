import { containsPattern } from '#kit/server/like-pattern.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { registerWorkTargets, type WorkTarget, type WorkTargetRules } from './kinds.ts'

const maxFound = 200

type TargetCondition = Parameters<WorkTargetRules['load']>[2]

/** Records of given ids, or of a project by a part of their name. */
const conditionOf = (condition: TargetCondition) =>
  'ids' in condition
    ? sql`id = any(${[...condition.ids]}::bigint[])`
    : sql`project_code = ${condition.projectCode} and name like ${containsPattern(condition.keyword ?? '')}`

const limitOf = (condition: TargetCondition): number => ('ids' in condition ? condition.ids.length : maxFound)

registerWorkTargets('publicArea', {
  label: '公共区域',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select id, name, project_code
      from public_area
      where owner_id = ${ownerId} and ${notDeleted()} and ${conditionOf(condition)}
      order by name, id
      limit ${limitOf(condition)}
    `),
})

registerWorkTargets('device', {
  label: '设备',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select id, name, project_code
      from device
      where owner_id = ${ownerId} and ${notDeleted()} and ${conditionOf(condition)}
      order by name, id
      limit ${limitOf(condition)}
    `),
})
