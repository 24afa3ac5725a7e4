import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lines, ref, text } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { standardItemFields } from '#modules/planned-work/contract/standard.ts'
import { menu } from '../module.ts'

/** What is done and looked at in the care of an area. */
export const greenTemplate = entity(
  'greenTemplate',
  '绿化模板',
  { table: 'green_template', tenancy: 'company', title: 'templateName', order: ['id'] },
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

export type GreenTemplate = Row<typeof greenTemplate>

export const greenTemplates = crud(greenTemplate, {
  path: 'Landscaping',
  permissions: menu.template.permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['state'],
  list: { route: 'GET Landscaping/gettemplatelist' },
  get: { route: 'GET Landscaping/gettemplatedetail' },
  save: { route: 'POST Landscaping/savetemplate' },
  delete: { route: 'POST Landscaping/deletetemplate' },
})
