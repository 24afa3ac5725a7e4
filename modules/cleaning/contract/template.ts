import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lines, ref, text } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { standardItemFields } from '#modules/planned-work/contract/standard.ts'
import { menu } from '../module.ts'

/** What a place is inspected by: each item with its share of the score. */
export const cleaningTemplate = entity(
  'cleaningTemplate',
  '保洁模板',
  { table: 'cleaning_template', tenancy: 'company', title: 'templateName', order: ['id'] },
  {
    templateName: text('名称', { required: true, max: 60, searchable: true }),
    items: lines('检查项', standardItemFields, {
      required: true,
      min: 1,
      max: 100,
      wire: ['ItemsJson', 'Items'],
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    itemCount: int('检查项数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    orderTypeId: ref('工单类型', 'workOrderType', {
      wire: 'OrderTypeID',
      help: '不合格的检查项按此类型派工单',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    remark: text('说明', { max: 200, hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type CleaningTemplate = Row<typeof cleaningTemplate>

export const cleaningTemplates = crud(cleaningTemplate, {
  path: 'CleanTemplate',
  permissions: menu.template.permissions,
  filters: ['state'],
})
