import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import {
  kindServer,
  orderOfFinding,
  registerPlansOf,
  registerWorkKind,
  registerWorkTargets,
  targetFilter,
  targetLimit,
  toSubjects,
  type WorkTarget,
} from '#modules/planned-work/server/public.ts'
import { cleaningLocation } from '../contract/location.ts'
import { cleaningTemplate } from '../contract/template.ts'
import { cleaningWork } from '../contract/work.ts'
import { menu, paths } from '../module.ts'
import { loadSigns, matchSign } from './point-signs.ts'

registerWorkTargets('cleaningPoint', {
  entity: cleaningLocation.name,
  label: '保洁点位',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select
        t.id,
        concat_ws(' ', b.name, case when t.floor_num is not null then t.floor_num || ' 层' end, t.location_name) as name,
        t.project_code
      from cleaning_location t
      left join building b
        on b.owner_id = ${ownerId} and b.project_code = t.project_code and b.code = t.build_code and b.delete_tag = 0
      where t.owner_id = ${ownerId}
        and ${notDeleted('t')}
        and t.state = ${code(enabledState, 'on')}
        and ${targetFilter(cleaningLocation, condition, sql`t.location_name`)}
      order by t.build_code, t.floor_num, t.location_name, t.id
      limit ${targetLimit(condition)}
    `),
})

registerWorkKind('cleaning', {
  needs: menu.plan.permissions.execute,
  viewNeeds: menu.plan.permissions.view,
  arrangeNeeds: menu.plan.permissions.arrange,
  taskPath: paths.task,
  link: ({ id }) => `${paths.phone}?task=${id}`,
  targetType: 'cleaningPoint',
  loadSubjects: async (db, { ownerId }, keys) =>
    toSubjects(
      await db.rows(sql`
        select id, template_name as name, items
        from cleaning_template
        where owner_id = ${ownerId}
          and id = any(${[...new Set(keys.map(({ subjectId }) => subjectId))]}::bigint[])
          and state = ${code(enabledState, 'on')}
          and ${notDeleted()}
      `),
    ),
  loadMatcher: async (db, scope, [step]) => matchSign(await loadSigns(db, scope, step?.projectCode)),
  onFinding: async (c, finding) => {
    const [template] = await findByIds(c.tx, cleaningTemplate, c.scope, [finding.task.subjectId])
    return orderOfFinding(c, finding, template?.orderTypeId)
  },
})

registerPlansOf('cleaning', 'cleaningTemplate', '保洁计划')

export const workServer = kindServer('cleaning', cleaningWork, paths)
