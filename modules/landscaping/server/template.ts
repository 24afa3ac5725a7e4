import { crudHandlers } from '#kit/server/crud.ts'
import { greenTemplate, greenTemplates } from '../contract/template.ts'
import { lockGeneration, rebuildTasks, standardFaults } from '#modules/planned-work/server/public.ts'

export const templateServer = crudHandlers(greenTemplates, {
  unique: { green_template_name_live: '已有此名称的绿化模板，请更换' },
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  check: (draft, c, before) => standardFaults(c, greenTemplate, draft, before),
  afterUpdate: (row, c) => rebuildTasks(c, 'greening', [row.id]),
  enrich: rows => Promise.resolve(rows.map(row => ({ ...row, itemCount: row.items.length }))),
})
