import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { notFound } from '#kit/contract/wire.ts'
import { joinServers } from '#kit/server/crud.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { workPlan } from '#modules/planned-work/contract/plan.ts'
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
import { greenArea } from '../contract/green-area.ts'
import { greenTemplate } from '../contract/template.ts'
import { getTemplateOfPlan, greeningWork } from '../contract/work.ts'
import { menu, paths } from '../module.ts'

registerWorkTargets('greenArea', {
  entity: greenArea.name,
  label: '绿化区域',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select t.id, t.area_name as name, t.project_code
      from green_area t
      where t.owner_id = ${ownerId}
        and ${notDeleted('t')}
        and ${targetFilter(greenArea, condition, sql`t.area_name`)}
      order by t.area_name, t.id
      limit ${targetLimit(condition)}
    `),
})

registerWorkKind('greening', {
  needs: menu.plan.permissions.execute,
  viewNeeds: menu.plan.permissions.view,
  arrangeNeeds: menu.plan.permissions.arrange,
  taskPath: paths.task,
  link: ({ id }) => `${paths.phone}?task=${id}`,
  targetType: 'greenArea',
  loadSubjects: async (db, { ownerId }, keys) =>
    toSubjects(
      await db.rows(sql`
        select id, template_name as name, items
        from green_template
        where owner_id = ${ownerId}
          and id = any(${[...new Set(keys.map(({ subjectId }) => subjectId))]}::bigint[])
          and state = ${code(enabledState, 'on')}
          and ${notDeleted()}
      `),
    ),
  onFinding: async (c, finding) => {
    const [template] = await findByIds(c.tx, greenTemplate, c.scope, [finding.task.subjectId])
    return orderOfFinding(c, finding, template?.orderTypeId)
  },
})

registerPlansOf('greening', 'greenTemplate', '绿化计划')

export const workServer = joinServers(kindServer('greening', greeningWork, paths), {
  handlers: [
    reads(getTemplateOfPlan, async ({ planId }, { db, scope }) => {
      const plan = await requireById(db, workPlan, scope, planId)
      if (plan.kind !== 'greening') throw notFound()
      return requireById(db, greenTemplate, scope, plan.subjectId)
    }),
  ],
})
