import { crudHandlers } from '#kit/server/crud.ts'
import { patrolTemplates, pickTemplates } from '../contract/template.ts'
import { checkItemFieldFaults } from './check-items.ts'
import { rebuildTemplates } from './rebuild.ts'

export const templateServer = crudHandlers(patrolTemplates, {
  unique: { patrol_template_name_live: '已有此名称的模板，请更换' },
  enrich: async rows => rows.map(row => ({ ...row, itemCount: row.items.length })),
  check: ({ items }) => checkItemFieldFaults('ItemsJson', items),
  afterUpdate: (row, c) => rebuildTemplates(c, [row.id]),
  pickers: [pickTemplates],
})
