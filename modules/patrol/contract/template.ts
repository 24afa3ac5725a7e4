import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lines, text } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { checkItemFields } from '#modules/planned-work/contract/task.ts'
import { menu } from '../module.ts'

export const maxCheckItems = 30

/** What is looked at in a place, in the same way at every point that names the template. */
export const patrolTemplate = entity(
  'patrolTemplate',
  '巡更模板',
  { table: 'patrol_template', tenancy: 'company', title: 'templateName', order: ['id'] },
  {
    templateName: text('名称', { required: true, max: 60, searchable: true }),
    items: lines('检查项', checkItemFields, {
      required: true,
      min: 1,
      max: maxCheckItems,
      wire: ['ItemsJson', 'Items'],
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    itemCount: int('检查项', { derived: true, hiddenIn: ['form', 'filter', 'sheet', 'detail'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type PatrolTemplate = Row<typeof patrolTemplate>

export const patrolTemplates = crud(patrolTemplate, {
  path: 'KeepWatchTemplate',
  permissions: menu.template.permissions,
  filters: ['state'],
})

export const pickTemplates = pickerOf(patrolTemplate, {
  route: 'GET KeepWatchTemplate/GetPick',
  title: '选择巡更模板',
  fields: ['id', 'templateName', 'itemCount', 'state'],
  search: { ids: idsFilter },
})
