import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findPage, tenantFilter } from '#kit/server/table.ts'
import { enabledState, estate } from '#modules/estates/contract/estate.ts'
import { listEstates } from '../contract/setting.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { isExpectedOn, isInside } from './visit-conditions.ts'

interface Counts {
  readonly projectCode: string
  readonly ruleCount: number
  readonly locationCount: number
  readonly expectedCount: number
  readonly insideCount: number
}

/** Of these projects: what is set up, who may come and who is inside, of the visits that the caller sees. */
const countIn = (db: Db, scope: Scope, projectCodes: readonly string[]): Promise<Counts[]> =>
  db.rows(sql`
    select p.project_code,
      (
        select count(*)::int
        from invite_rule r
        where r.owner_id = ${scope.ownerId}
          and r.project_code = p.project_code
          and r.state = ${code(enabledState, 'on')}
          and ${notDeleted('r')}
      ) as rule_count,
      (
        select count(*)::int
        from visitor_location l
        where l.owner_id = ${scope.ownerId}
          and l.project_code = p.project_code
          and l.state = ${code(enabledState, 'on')}
          and ${notDeleted('l')}
      ) as location_count,
      (
        select count(*)::int
        from invite_visitor t
        where ${tenantFilter(inviteVisitor, scope)}
          and t.project_code = p.project_code
          and ${isExpectedOn(scope.time)}
      ) as expected_count,
      (
        select count(*)::int
        from visit_record t
        where ${tenantFilter(visitRecord, scope)} and t.project_code = p.project_code and ${isInside()}
      ) as inside_count
    from unnest(${[...projectCodes]}::text[]) as p(project_code)
  `)

export const estateHandlers = [
  reads(listEstates, async ({ page, size, keyword, projectCode }, { db, scope }) => {
    const found = await findPage(db, estate, scope, { page, size, keyword, projectCode })
    const counts = await countIn(
      db,
      scope,
      found.rows.map(row => row.projectCode),
    )
    return {
      total: found.total,
      rows: found.rows.map(({ projectCode: project, name }) => ({
        ruleCount: 0,
        locationCount: 0,
        expectedCount: 0,
        insideCount: 0,
        ...counts.find(each => each.projectCode === project),
        projectCode: project,
        estateName: name,
      })),
    }
  }),
]
