import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { cleaningTemplate, cleaningTemplates, type CleaningTemplate } from '../contract/template.ts'
import { lockGeneration, rebuildTasks, standardFaults } from '#modules/planned-work/server/public.ts'

export const templateServer = crudHandlers(cleaningTemplates, {
  unique: { cleaning_template_name_live: '已有此名称的保洁模板，请更换' },
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  check: (draft, c, before) => standardFaults(c, cleaningTemplate, draft, before),
  afterUpdate: (row, c) => rebuildTasks(c, 'cleaning', [row.id]),
  enrich: rows => Promise.resolve(rows.map(row => ({ ...row, itemCount: row.items.length }))),
})

// BASE-5
registerDependentRows('cleaningTemplate', {
  label: '保洁点位',
  table: 'cleaning_location',
  where: ({ id }: CleaningTemplate) => sql`template_id = ${id}`,
})
