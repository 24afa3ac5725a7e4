import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, flag, list, moment, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { loginName } from './words.ts'

/** PERM-1. An auditor sees what his roles may see and changes nothing. */
export const managerType = choiceTable('ManagerType', '账号类型', { owner: [10, '超级管理员'], deputy: [20, '子管理员'], ordinary: [30, '普通员工'], auditor: [40, '只读审计'] })
export const managerState = choiceTable('ManagerState', '账号状态', { on: [10, '启用', 'done'], off: [20, '停用', 'off'], locked: [30, '锁定', 'bad'] })

export const manager = entity('manager', '管理员', { table: 'manager', reach: 'company', key: 'loginCode', title: 'realName', order: ['managerType', 'loginCode'] }, {
  loginCode: loginName({ fixed: true }),
  realName: text('姓名', { required: true, max: 40, sought: true }),
  mobile: text('手机', { max: 11, rule: rules.mobile, masked: 'mobile', sought: true }),
  headImage: text('头像', { max: 200, wire: ['HeadImge', 'HeadImage'], notIn: ['table', 'form', 'filter', 'sheet'] }),
  managerType: choice('类型', managerType, { required: true, initial: 'ordinary' }),
  roleIds: list('角色', { max: 50, wire: 'RoleIDs', notIn: ['table', 'sheet'] }),
  roleNames: list('角色', { derived: true, wire: 'RoleNames' }),
  allProject: flag('全部项目', { required: true, initial: false, wire: 'AllProject' }),
  showPrivacy: flag('查看完整手机证件', { required: true, initial: false, wire: 'ShowPrivacy', help: '关闭时手机号和证件号只显示首尾' }),
  staffId: ref('员工', 'staff', { wire: 'StaffID', notIn: ['table', 'filter', 'sheet'] }),
  wechatOpenId: text('微信', { max: 60, fixed: true, notIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  lastLoginTime: moment('最近登录', { fixed: true, notIn: ['form'] }),
  lastLoginIp: text('最近登录地址', { max: 60, fixed: true, notIn: ['form', 'filter'] }),
  state: choice('状态', managerState, { required: true, initial: 'on', fixed: true, notIn: ['form'] }),
  remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
})
export type Manager = Row<typeof manager>
