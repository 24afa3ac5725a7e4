import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, systemChoice, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { menu } from '../module.ts'
import { smsBlockKind, smsBlockOrigin } from './sms-choices.ts'

/** A number that gets no marketing (it opted out), or nothing at all (black-listed). */
export const smsBlock = entity(
  'smsBlock',
  '退订与黑名单',
  { table: 'sms_block', tenancy: 'company', title: 'mobile', order: ['-id'] },
  {
    mobile: text('手机号', {
      required: true,
      max: 11,
      rule: rules.mobile,
      masked: 'mobile',
      searchable: true,
      immutable: true,
    }),
    kind: choice('限制', smsBlockKind, {
      required: true,
      initial: 'optOut',
      wire: 'Kind',
      help: '退订：不再接收营销短信；黑名单：不接收任何短信',
    }),
    origin: systemChoice('来源', smsBlockOrigin, 'hand'),
    reason: text('原因', { max: 100, hiddenIn: ['filter'] }),
    operatorName: text('登记人', { max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type SmsBlock = Row<typeof smsBlock>

export const smsBlocks = crud(smsBlock, {
  path: 'PropertySms/Block',
  permissions: menu.block.permissions,
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['kind', 'origin', 'createTime'],
  without: ['origin', 'operatorName'],
  list: { route: 'GET PropertySmsBlock/Get' },
  add: { route: 'POST PropertySmsBlock/Post' },
  edit: { route: 'PUT PropertySmsBlock/Put' },
  delete: { route: 'DELETE PropertySmsBlock/Delete' },
})
