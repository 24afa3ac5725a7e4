import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { newPasswordField } from '#modules/accounts/contract/credential-fields.ts'
import { buildingThrough, enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

const { permissions } = menu.account

/** By which a merchant, or somebody who works in the shop, signs in to its page on the phone. */
export const merchantAccount = entity(
  'merchantAccount',
  '商户登录账号',
  { table: 'merchant_account', tenancy: 'project', title: 'loginName', order: ['staffId', 'id'] },
  {
    projectCode: estateField(),
    merchantId: ref('商户', 'merchant', { required: true, immutable: true, wire: 'MerchantID' }),
    buildCode: buildingThrough('merchantId'),
    /** Nobody: the account of the merchant itself. */
    staffId: ref('使用人', 'merchantStaff', {
      immutable: true,
      wire: 'StaffID',
      help: '商户员工；不选为商户本身的账号',
    }),
    staffName: lookup('使用人姓名', 'staffId', 'name', { wire: 'StaffName' }),
    loginName: text('登录账号', {
      required: true,
      min: 4,
      max: 40,
      rule: rules.lettersDigits,
      searchable: true,
      wire: 'LoginName',
      help: '手机号或商户号，公司内唯一',
    }),
    mustChange: flag('须修改密码', {
      initial: true,
      immutable: true,
      hiddenIn: ['form'],
      wire: 'MustChange',
    }),
    signInTime: moment('最近登录', { immutable: true, hiddenIn: ['form'], wire: 'SignInTime' }),
    state: choice('状态', enabledState, { required: true, initial: 'on', immutable: true }),
  },
)

export type MerchantAccount = Row<typeof merchantAccount>

export const merchantAccounts = crud(merchantAccount, {
  path: 'merchant/v1/account',
  itemName: '登录账号',
  permissions,
  operations: ['list', 'add', 'delete'],
  filters: ['merchantId', 'staffId', 'state'],
  without: ['mustChange', 'signInTime', 'state'],
  addFields: { password: newPasswordField('初始密码') },
  affects: ['merchant'],
})

export const setMerchantAccountState = call({
  route: 'PUT merchant/v1/account/PutState',
  title: '启用或停用商户登录账号',
  needs: permissions.edit,
  input: shape({
    id: recordIdField,
    state: choice('状态', enabledState, { required: true, wire: 'State' }),
    reason: reasonField,
  }),
  output: recordOf(merchantAccount),
  affects: ['merchantAccount'],
})

export const resetMerchantPassword = call({
  route: 'POST merchant/v1/account/ResetPassword',
  title: '重置商户登录密码',
  needs: permissions.edit,
  input: shape({ id: recordIdField, password: newPasswordField('新密码') }),
  output: noData,
  affects: ['merchantAccount'],
})
