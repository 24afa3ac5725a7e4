import { anybody, call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, file, flag, int, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { nothing, shape } from '#kit/contract/shape.ts'
import { loginName, newPassword } from './words.ts'

export const edition = choiceTable('Edition', '版本', { trial: [10, '试用'], standard: [20, '标准'], professional: [30, '专业'] })
export const companyState = choiceTable('CompanyState', '公司状态', { normal: [10, '正常', 'done'], expired: [20, '到期', 'bad'], stopped: [30, '停用', 'off'] })

/** A property company: the owner of every row (G-13). Its id is its `OwnerID`. */
export const property = entity('property', '物业公司', { table: 'property', reach: 'company', title: 'companyName' }, {
  companyName: text('公司名称', { required: true, min: 2, max: 80, sought: true }),
  creditCode: text('统一社会信用代码', { max: 18, min: 18 }),
  contactName: text('联系人', { max: 20 }),
  contactPhone: text('联系电话', { max: 20, rule: rules.phone }),
  address: text('地址', { max: 120 }),
  logo: file('公司标志', { wire: 'LogoUrl' }),
  appKey: text('AppKey', { max: 40, fixed: true, notIn: ['form', 'filter', 'sheet'] }),
  expireDate: day('到期日期', { fixed: true, notIn: ['form'] }),
  edition: choice('版本', edition, { required: true, initial: 'trial', fixed: true, notIn: ['form'] }),
  idleMinutes: int('闲置退出', { required: true, initial: 480, min: 10, max: 1440, unit: '分钟', help: '登录后多久不操作需要重新登录，10 到 1440 分钟' }),
  state: choice('状态', companyState, { required: true, initial: 'normal', fixed: true, notIn: ['form'] }),
})
export type Property = Row<typeof property>

/** What the sign-in screen may know before anybody has signed in. */
export const door = call({
  at: 'GET Manager/AccountInit', title: '登录页信息', needs: anybody, input: nothing,
  output: shape({
    empty: flag('尚无公司', { required: true, help: '为是时应先进行初始化设置' }),
    companyName: text('公司名称', { help: '只有一家公司时才有' }),
  }),
})
/** The first company of an installation and its owner; refused as soon as there is one. */
export const setUp = call({
  at: 'POST Manager/Setup', title: '初始化设置', needs: anybody, perMinute: 10,
  input: shape({
    companyName: property.fields.companyName,
    realName: text('管理员姓名', { required: true, max: 40 }),
    loginCode: loginName(),
    password: newPassword(),
    mobile: text('手机', { rule: rules.mobile }),
  }),
  output: nothing,
})
