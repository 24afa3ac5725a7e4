import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, flag, int, list, moment, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
  type Shape,
} from '#kit/contract/shape.ts'
import { exports } from '#kit/contract/transfer.ts'
import { menu } from '../module.ts'
import { loginName, managerType, newPassword, password } from './words.ts'

export { managerType }

export const managerState = choiceTable('ManagerState', '账号状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
  locked: [30, '锁定', 'bad'],
})

export const manager = entity(
  'manager',
  '管理员',
  {
    table: 'manager',
    reach: 'company',
    key: 'loginCode',
    title: 'realName',
    order: ['managerType', 'loginCode'],
  },
  {
    loginCode: loginName({ fixed: true }),
    realName: text('姓名', { required: true, max: 40, sought: true }),
    mobile: text('手机', { max: 11, rule: rules.mobile, sought: true }),
    headImage: text('头像', {
      max: 200,
      wire: ['HeadImge', 'HeadImage'],
      notIn: ['table', 'form', 'filter', 'sheet'],
    }),
    managerType: choice('类型', managerType, { required: true, initial: 'ordinary' }),
    roleIds: {
      ...list('角色', { max: 50, wire: 'RoleIDs', notIn: ['table', 'sheet', 'detail'] }),
      to: 'role',
    },
    roleNames: list('角色', { derived: true, wire: 'RoleNames', notIn: ['form', 'filter'] }),
    place: text('数据范围', { derived: true, wire: 'DataDomain', notIn: ['form', 'filter'] }),
    totpOn: flag('动态验证码', { derived: true, wire: 'TotpOn', notIn: ['form', 'filter'] }),
    wechatBound: flag('微信绑定', { derived: true, wire: 'WechatBound', notIn: ['form', 'filter'] }),
    mustChange: flag('待改初始密码', { derived: true, wire: 'MustChangePw', notIn: ['form', 'filter'] }),
    sessions: int('登录设备', { derived: true, wire: 'Sessions', notIn: ['form', 'filter'] }),
    allProject: flag('全部项目', { required: true, initial: false, wire: 'AllProject' }),
    showPrivacy: flag('查看完整手机证件', {
      required: true,
      initial: false,
      wire: 'ShowPrivacy',
      help: '关闭时手机号和证件号只显示首尾',
    }),
    staffId: ref('员工', 'staff', { wire: 'StaffID', notIn: ['table', 'filter', 'sheet'] }),
    wechatOpenId: text('微信', {
      max: 60,
      fixed: true,
      notIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    lastLoginTime: moment('最近登录', { fixed: true, notIn: ['form'] }),
    lastLoginIp: text('最近登录地址', { max: 60, fixed: true, notIn: ['form', 'filter'] }),
    state: choice('状态', managerState, { required: true, initial: 'on', fixed: true, notIn: ['form'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  },
)

export type Manager = Row<typeof manager>

const fixed = ['headImage', 'wechatOpenId', 'lastLoginTime', 'lastLoginIp', 'state', 'allProject'] as const
const draft = draftOf(manager, fixed)

export const listManagers = call({
  at: 'GET Manager/Get',
  names: ['Manager/GetPagedList'],
  title: '查询管理员',
  needs: menu.manager.may.view,
  input: search(manager, ['managerType', 'state', 'lastLoginTime'], {
    roleId: int('角色', { wire: 'RoleID', min: 1 }),
    projectCode: text('项目', { max: 20, within: 'project', wire: 'DomainProjectCode' }),
    starting: flag('尚未完成首次登录', { wire: 'Starting' }),
  }),
  output: pageOf(manager),
})

export const exportManagers = exports({
  at: 'GET Manager/GetExport',
  title: '导出管理员',
  needs: menu.manager.may.export,
  of: listManagers,
})

export const oneManager = call({
  at: 'GET Manager/GetOne',
  title: '查看管理员',
  needs: menu.manager.may.view,
  input: byId,
  output: oneOf(manager),
})

/** The first password is the granter's word; it must be changed at the first sign-in (PERM-9). */
export const addManager = call({
  at: 'POST Manager/Post',
  title: '新增管理员',
  needs: menu.manager.may.add,
  affects: ['manager', 'role'],
  input: { ...draft, fields: { ...draft.fields, password: newPassword('初始密码') } } as Shape<
    NonNullable<(typeof draft)['T']> & { readonly password: string }
  >,
  output: oneOf(manager),
})

export const editManager = call({
  at: 'PUT Manager/Put',
  title: '编辑管理员',
  needs: menu.manager.may.edit,
  input: draft,
  output: oneOf(manager),
  affects: ['manager', 'role'],
})

/** Ends the account and keeps its history (PERM-8). */
export const deleteManagers = call({
  at: 'DELETE Manager/Delete',
  title: '删除管理员',
  needs: menu.manager.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['manager', 'role'],
})

export const switchManager = call({
  at: 'PUT Manager/PutState',
  title: '启用或停用管理员',
  needs: menu.manager.may.edit,
  affects: ['manager'],
  input: shape({
    id: int('编号', { required: true, wire: 'ID', min: 1 }),
    state: choice('状态', managerState, { required: true }),
    reason: text('原因', { min: 2, max: 200, wire: 'Reason' }),
  }),
  output: nothing,
})

export const resetPassword = call({
  at: 'POST Manager/ResetPassword',
  title: '重置密码',
  needs: menu.manager.may.reset,
  affects: ['manager'],
  input: shape({ id: int('编号', { required: true, wire: 'ID', min: 1 }), password: newPassword('新密码') }),
  output: nothing,
})

/**
 * His phone is lost and the recovery codes with it: the factor goes, he binds another at his next sign-in if
 * his role asks for one.
 */
export const resetFactor = call({
  at: 'POST Manager/ResetTotp',
  title: '重置二次验证',
  needs: menu.manager.may.factor,
  affects: ['manager'],
  input: shape({
    id: int('编号', { required: true, wire: 'ID', min: 1 }),
    reason: text('原因', { required: true, min: 2, max: 200, wire: 'Reason' }),
  }),
  output: nothing,
})

/** What somebody still has in hand, kind by kind; asked before he leaves (PERM-8). */
export const openWork = call({
  at: 'GET Manager/GetOpenWork',
  title: '未完成的工作',
  needs: menu.manager.may.view,
  input: byId,
  output: rowsOf({
    what: text('工作', { required: true, wire: 'What' }),
    count: int('数量', { required: true, wire: 'Count' }),
  }),
})

export const resign = call({
  at: 'PUT Manager/PutResign',
  title: '离职交接',
  needs: menu.manager.may.resign,
  affects: ['manager'],
  input: shape({
    id: int('编号', { required: true, wire: 'ID', min: 1 }),
    handTo: ref('交接给', 'manager', { wire: 'HandTo' }),
    reason: text('原因', { required: true, min: 2, max: 200, wire: 'Reason' }),
  }),
  output: rowsOf({
    what: text('工作', { required: true, wire: 'What' }),
    count: int('数量', { required: true, wire: 'Count' }),
  }),
})

/** Names of colleagues, for pickers. */
export const pickManagers = call({
  at: 'GET Manager/GetManagerUser',
  title: '选择管理员',
  needs: everyone,
  input: shape({ keyword: text('关键字', { max: 100, wire: 'KeyWord' }) }),
  output: rowsOf({
    id: manager.fields.id,
    realName: manager.fields.realName,
    loginCode: manager.fields.loginCode,
    headImage: manager.fields.headImage,
  }),
})

/** To whom the company may be handed over: active deputies and staff, deputies first. */
export const subAdmins = call({
  at: 'GET Manager/GetSubAdmin',
  title: '查询子管理员',
  needs: menu.manager.may.view,
  input: shape({ all: flag('含普通员工', { wire: 'All' }) }),
  output: rowsOf({ ...manager.fields }),
})

/** PERM-5: the company's one owner hands his place to another, who alone can hand it back. */
export const transferOwner = call({
  at: 'PUT Manager/PutTransferPrivilege',
  title: '移交超级管理员',
  needs: everyone,
  affects: ['manager'],
  perMinute: 10,
  input: shape({
    id: int('移交给', { required: true, wire: ['ID', 'ManagerID'], min: 1 }),
    password: password('当前密码'),
    smsCode: text('短信验证码', { required: true, max: 6, wire: ['SmsCode', 'ValidCode'], masked: 'secret' }),
    reason: text('原因', { required: true, min: 2, max: 200, wire: 'Reason' }),
  }),
  output: nothing,
})
