import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { day, flag, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { reasonField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { certField, mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'
import { plateField } from './fields.ts'

/** Who is turned away as a visitor: by a mobile, a document or a plate, until a day (VIS-4). */
export const visitorBlock = entity(
  'visitorBlock',
  '访客黑名单',
  { table: 'visitor_block', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    name: text('姓名', { required: true, max: 40, rule: nameRule, searchable: true, hiddenIn: ['filter'] }),
    mobile: mobileField('手机', { hiddenIn: ['filter'] }),
    certNo: certField({ hiddenIn: ['filter'] }),
    plateNo: { ...plateField({ hiddenIn: ['filter'] }), searchable: true },
    reason: reasonField,
    expireDate: day('到期', { rule: calendarYears, help: '当天仍有效；不填为永久' }),
  },
)

export type VisitorBlock = Row<typeof visitorBlock>

export const visitorBlocks = crud(visitorBlock, {
  path: 'visitor/v1/BlackList',
  permissions: menu.block.permissions,
  operations: ['list', 'get', 'add', 'edit', 'delete'],
  filters: ['expireDate', 'createTime'],
  search: { onlyCurrent: flag('仅看有效', { wire: 'Live' }) },
})
