import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  flag,
  idOf,
  int,
  list,
  moment,
  ref,
  text,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  extendShape,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
  reasonField,
} from '#kit/contract/shape.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { menu } from '../module.ts'
import { loginNameField, managerType, newPasswordField, passwordField } from './credential-fields.ts'

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
    tenancy: 'company',
    key: 'loginCode',
    title: 'realName',
    order: ['managerType', 'loginCode'],
  },
  {
    loginCode: loginNameField({ fixed: true }),
    realName: text('姓名', { required: true, max: 40, searchable: true }),
    mobile: text('手机', { max: 11, rule: rules.mobile, searchable: true }),
    email: text('邮箱', {
      max: 60,
      rule: rules.email,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    headImage: text('头像', {
      holdsFiles: true,
      max: 200,
      wire: ['HeadImge', 'HeadImage'],
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    managerType: choice('类型', managerType, { required: true, initial: 'ordinary' }),
    roleIds: {
      ...list('角色', { max: 50, wire: 'RoleIDs', hiddenIn: ['table', 'sheet', 'detail'] }),
      target: 'role',
    },
    roleNames: list('角色', { derived: true, wire: 'RoleNames', hiddenIn: ['form', 'filter'] }),
    place: text('数据范围', { derived: true, wire: 'DataDomain', hiddenIn: ['form', 'filter'] }),
    totpOn: flag('动态验证码', { derived: true, wire: 'TotpOn', hiddenIn: ['form', 'filter'] }),
    wechatBound: flag('微信绑定', { derived: true, wire: 'WechatBound', hiddenIn: ['form', 'filter'] }),
    mustChange: flag('待改初始密码', { derived: true, wire: 'MustChangePw', hiddenIn: ['form', 'filter'] }),
    sessions: int('登录设备', { derived: true, wire: 'Sessions', hiddenIn: ['form', 'filter'] }),
    allProject: flag('全部项目', { required: true, initial: false, wire: 'AllProject' }),
    showPrivacy: flag('查看完整手机号、证件号', {
      required: true,
      initial: false,
      wire: 'ShowPrivacy',
      help: '关闭时手机号和证件号只显示首尾',
    }),
    staffId: ref('员工', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'filter', 'sheet'] }),
    wechatOpenId: text('微信', {
      max: 60,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    lastLoginTime: moment('最近登录', { immutable: true, hiddenIn: ['form'] }),
    lastLoginIp: text('最近登录地址', { max: 60, immutable: true, hiddenIn: ['form', 'filter'] }),
    state: systemChoice('状态', managerState, 'on'),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Manager = Row<typeof manager>

const readOnlyFields = [
  'email',
  'headImage',
  'wechatOpenId',
  'lastLoginTime',
  'lastLoginIp',
  'state',
  'allProject',
] as const
const managerDraft = draftOf(manager, readOnlyFields)

export const listManagers = call({
  route: 'GET Manager/Get',
  aliases: ['Manager/GetPagedList'],
  title: '查询管理员',
  needs: menu.manager.permissions.view,
  input: search(manager, ['managerType', 'state', 'lastLoginTime'], {
    roleId: idOf('角色', { wire: 'RoleID', min: 1 }),
    projectCode: text('项目', {
      max: 20,
      dataDomain: 'project',
      wire: 'DomainProjectCode',
      target: 'estate',
      targetBy: 'key',
    }),
    firstSignInPending: flag('尚未完成首次登录', { wire: 'Starting' }),
  }),
  output: pageOf(manager),
})

export const exportManagers = declareExport({
  route: 'GET Manager/GetExport',
  title: '导出管理员',
  needs: menu.manager.permissions.export,
  list: listManagers,
})

export const getManager = call({
  route: 'GET Manager/GetOne',
  title: '查看管理员',
  needs: menu.manager.permissions.view,
  input: byId,
  output: recordOf(manager),
})

/** The granter chooses the first password; it must be changed at the first sign-in (PERM-9). */
export const addManager = call({
  route: 'POST Manager/Post',
  title: '新增管理员',
  needs: menu.manager.permissions.add,
  affects: ['manager', 'role'],
  input: extendShape(managerDraft, { password: newPasswordField('初始密码') }),
  output: recordOf(manager),
})

export const editManager = call({
  route: 'PUT Manager/Put',
  title: '编辑管理员',
  needs: menu.manager.permissions.edit,
  input: managerDraft,
  output: recordOf(manager),
  affects: ['manager', 'role'],
})

/** Deletes the account and keeps its history (PERM-8). */
export const deleteManagers = call({
  route: 'DELETE Manager/Delete',
  title: '删除管理员',
  needs: menu.manager.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['manager', 'role'],
})

const openWork = {
  what: text('工作', { required: true, wire: 'What' }),
  count: int('数量', { required: true, wire: 'Count' }),
}

/** Returns the work in hand of an account that is switched off (PERM-8). */
export const setManagerState = call({
  route: 'PUT Manager/PutState',
  title: '启用或停用管理员',
  needs: menu.manager.permissions.edit,
  affects: ['manager'],
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    state: choice('状态', managerState, { required: true }),
    reason: text('原因', { min: 2, max: 200, wire: 'Reason' }),
  }),
  output: listOfRows(openWork),
})

export const resetPassword = call({
  route: 'POST Manager/ResetPassword',
  title: '重置密码',
  needs: menu.manager.permissions.reset,
  affects: ['manager'],
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    password: newPasswordField('新密码'),
  }),
  output: noData,
})

/**
 * For a lost phone without recovery codes: the factor is removed; the account binds another at the next
 * sign-in if a role requires one.
 */
export const resetSecondFactor = call({
  route: 'POST Manager/ResetTotp',
  title: '重置二次验证',
  needs: menu.manager.permissions.factor,
  affects: ['manager'],
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    reason: reasonField,
  }),
  output: noData,
})

/** The unfinished work of an account by kind; shown before it resigns (PERM-8). */
export const getOpenWork = call({
  route: 'GET Manager/GetOpenWork',
  title: '未完成的工作',
  needs: menu.manager.permissions.view,
  input: byId,
  output: listOfRows(openWork),
})

export const resignManager = call({
  route: 'PUT Manager/PutResign',
  title: '离职交接',
  needs: menu.manager.permissions.resign,
  affects: ['manager'],
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    handTo: ref('交接给', 'manager', { wire: 'HandTo' }),
    reason: reasonField,
  }),
  output: listOfRows({
    ...openWork,
    /** A warning about the person who took over: more work than they should have. */
    remark: text('说明', { wire: 'Remark' }),
  }),
})

/** Names of colleagues, for pickers. */
export const listManagerOptions = call({
  route: 'GET Manager/GetManagerUser',
  title: '选择管理员',
  needs: everyone,
  input: shape({ keyword: text('关键字', { max: 100, wire: 'KeyWord' }) }),
  output: listOfRows({
    id: manager.fields.id,
    realName: manager.fields.realName,
    // For those who manage accounts: it is half of what signs in.
    loginCode: { ...manager.fields.loginCode, required: false as const },
    headImage: manager.fields.headImage,
  }),
})

/** Accounts that can become the owner: active deputies and staff, deputies first. */
export const listOwnerCandidates = call({
  route: 'GET Manager/GetSubAdmin',
  title: '查询子管理员',
  needs: menu.manager.permissions.view,
  input: shape({ all: flag('含普通员工', { wire: 'All' }) }),
  output: listOfRows({ ...manager.fields }),
})

/** PERM-5: transfers the company from its one owner to another account, which alone can transfer it back. */
export const transferOwnership = call({
  route: 'PUT Manager/PutTransferPrivilege',
  title: '移交超级管理员',
  needs: everyone,
  affects: ['manager'],
  perMinute: 10,
  input: shape({
    id: idOf('移交给', { required: true, wire: ['ID', 'ManagerID'], min: 1 }),
    password: passwordField('当前密码'),
    smsCode: text('短信验证码', { required: true, max: 6, wire: ['SmsCode', 'ValidCode'], masked: 'secret' }),
    reason: reasonField,
  }),
  output: noData,
})
