import { crudHandlers } from '#kit/server/crud.ts'
import { disablingFaults } from '#kit/server/dependents.ts'
import { lockGeneration } from '#modules/planned-work/server/public.ts'
import { patrolTemplate, patrolTemplates, pickTemplates } from '../contract/template.ts'
import { checkItemFieldFaults } from './check-items.ts'
import { rebuildTemplates } from './rebuild.ts'

export const templateServer = crudHandlers(patrolTemplates, {
  unique: { patrol_template_name_live: '已有此名称的模板，请更换' },
  enrich: async rows => rows.map(row => ({ ...row, itemCount: row.items.length })),
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  check: async (draft, c, before) => [
    ...checkItemFieldFaults('ItemsJson', draft.items),
    ...(await disablingFaults(c, patrolTemplate, draft, before)),
  ],
  afterUpdate: (row, c) => rebuildTemplates(c, [row.id]),
  pickers: [pickTemplates],
})
