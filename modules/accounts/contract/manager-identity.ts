import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choiceTable, lookup, moment, ref, text, systemChoice } from '#kit/contract/field.ts'
import { byIdsWithReason, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const { permissions } = menu.identity

export const boundBy = choiceTable('IdentityBoundBy', '绑定方式', {
  self: [10, '本人绑定'],
  admin: [20, '管理员绑定'],
  match: [30, '自动绑定'],
})

/** A person at the company's identity provider, who signs in as an account. */
export const managerIdentity = entity(
  'managerIdentity',
  '身份绑定',
  { table: 'manager_identity', tenancy: 'company', title: 'subject', order: ['-id'] },
  {
    managerId: ref('管理员', 'manager', { required: true, hiddenIn: ['table', 'sheet'] }),
    managerName: lookup('姓名', 'managerId', 'realName', { wire: 'ManagerName' }),
    loginCode: lookup('账号', 'managerId', 'loginCode', { wire: 'Logincode' }),
    subject: text('身份标识', {
      required: true,
      max: 255,
      searchable: true,
      help: '该员工在身份平台中「身份字段」的值',
    }),
    displayName: text('平台中的名称', { max: 100, searchable: true, immutable: true, hiddenIn: ['form'] }),
    issuer: text('签发者地址', { required: true, max: 300, immutable: true, hiddenIn: ['form'] }),
    boundBy: systemChoice('绑定方式', boundBy, 'admin'),
    lastUseTime: moment('最近登录', { immutable: true, hiddenIn: ['form'] }),
  },
)

export type ManagerIdentity = Row<typeof managerIdentity>

export const managerIdentities = crud(managerIdentity, {
  path: 'ManagerIdentity',
  permissions,
  operations: ['list'],
  filters: ['managerId', 'boundBy', 'lastUseTime'],
})

export const { list: listManagerIdentities } = managerIdentities

/** Needs what changing the account needs (PERM-4): who binds an identity decides who comes in as it. */
export const bindManagerIdentity = call({
  route: 'POST ManagerIdentity/Post',
  title: '为管理员绑定身份',
  needs: permissions.add,
  affects: ['managerIdentity', 'manager'],
  input: shape({
    managerId: managerIdentity.fields.managerId,
    subject: managerIdentity.fields.subject,
  }),
  output: recordOf(managerIdentity),
})

export const unbindManagerIdentities = call({
  route: 'DELETE ManagerIdentity/Delete',
  title: '解除管理员的身份绑定',
  needs: permissions.del,
  affects: ['managerIdentity', 'manager'],
  input: byIdsWithReason,
  output: noData,
})
