import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Doorway } from '#modules/access/contract/doorway.ts'
import type { DoorwayGroup } from '#modules/access/contract/group.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { InviteRule } from '../contract/rule.ts'
import type { VisitorLocation } from '../contract/location.ts'

const inList = (id: Id, column: string) => sql`${String(id)} = any(${sql.ref(column)})`

// BASE-5
registerDependentRows(
  'estate',
  {
    label: '邀请规则',
    table: 'invite_rule',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
  {
    label: '邀访记录',
    table: 'visitor_invitation',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
  {
    label: '访客登记',
    table: 'visit_record',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
)
registerDependentRows('building', {
  label: '邀请规则',
  table: 'invite_rule',
  where: ({ projectCode, code }: Building) =>
    sql`project_code = ${projectCode} and ${code} = any(build_codes)`,
})
registerDependentRows('doorway', {
  label: '门岗',
  table: 'visitor_location',
  where: ({ id }: Doorway) => inList(id, 'doorway_ids'),
})
registerDependentRows('doorwayGroup', {
  label: '邀请规则',
  table: 'invite_rule',
  where: ({ id }: DoorwayGroup) => inList(id, 'doorway_group_ids'),
})
registerDependentRows('inviteRule', {
  label: '邀访记录',
  table: 'visitor_invitation',
  where: ({ id }: InviteRule) => sql`rule_id = ${id}`,
})
registerDependentRows(
  'visitorLocation',
  {
    label: '核验记录',
    table: 'invite_valid',
    where: ({ id }: VisitorLocation) => sql`location_id = ${id}`,
  },
  {
    label: '访客登记',
    table: 'visit_record',
    where: ({ id }: VisitorLocation) => sql`(in_location_id = ${id} or out_location_id = ${id})`,
  },
)
