import { crudHandlers } from '#kit/server/crud.ts'
import { greenTemplates } from '../contract/template.ts'

export const templateServer = crudHandlers(greenTemplates, {
  unique: { green_template_name_live: '已有此名称的绿化模板，请更换' },
  enrich: rows => Promise.resolve(rows.map(row => ({ ...row, itemCount: row.items.length }))),
})
