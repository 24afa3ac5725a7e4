import { publicAccess, call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choiceTable, day, file, flag, int, list, text, systemChoice } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { draftOf, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { signInResult } from './sign-in.ts'
import { loginNameField, newPasswordField, passwordField } from './credential-fields.ts'

export const edition = choiceTable('Edition', '版本', {
  trial: [10, '试用版'],
  standard: [20, '标准版'],
  professional: [30, '专业版'],
})

export const companyState = choiceTable('CompanyState', '公司状态', {
  normal: [10, '正常', 'done'],
  expired: [20, '到期', 'bad'],
  stopped: [30, '停用', 'off'],
})

/** A property company: the owner of every row (G-13). Its id is its `OwnerID`. */
export const property = entity(
  'property',
  '物业公司',
  { table: 'property', tenancy: 'company', title: 'companyName' },
  {
    companyName: text('公司名称', { required: true, min: 2, max: 80, searchable: true }),
    creditCode: text('统一社会信用代码', { max: 18, min: 18 }),
    contactName: text('联系人', { max: 20 }),
    contactPhone: text('联系电话', { max: 20, rule: rules.phone }),
    address: text('地址', { max: 120 }),
    logo: file('公司标志', { wire: 'LogoUrl' }),
    appKey: text('AppKey', { max: 40, immutable: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    expireDate: day('到期日期', { immutable: true, hiddenIn: ['form'] }),
    edition: systemChoice('版本', edition, 'trial'),
    idleMinutes: int('自动退出', {
      required: true,
      initial: 480,
      min: 10,
      max: 480,
      unit: '分钟',
      help: '无操作超过此时长后须重新登录，10 至 480 分钟',
    }),
    state: systemChoice('状态', companyState, 'normal'),
    closedModules: list('未开通的模块', {
      max: 100,
      immutable: true,
      hiddenIn: ['form', 'table', 'filter', 'sheet', 'detail'],
    }),
  },
)

export type Property = Row<typeof property>

/** What the sign-in screen may know before anybody has signed in. */
export const getSignInPage = call({
  route: 'GET Manager/AccountInit',
  title: '登录页信息',
  needs: publicAccess,
  input: shape({ pageKey: text('登录页标识', { max: 40, help: '几家公司各有自己的登录页' }) }),
  output: shape({
    empty: flag('尚无公司', { required: true, help: '为是时应先进行初始化设置' }),
    needsSetupCode: flag('需要初始化码', { help: '对外服务而尚无公司时' }),
    companyName: text('公司名称', { help: '只有一家公司，或地址中有登录页标识时才有' }),
    identityButton: text('统一身份登录的按钮', { help: '公司已启用时才有' }),
    identityPageKey: text('登录页标识', { help: '统一身份登录所用' }),
  }),
})

/** The first company of an installation and its owner; refused as soon as there is one. */
export const setUpInstallation = call({
  route: 'POST Manager/Setup',
  title: '初始化设置',
  needs: publicAccess,
  perMinute: 10,
  input: shape({
    companyName: property.fields.companyName,
    realName: text('管理员姓名', { required: true, max: 40 }),
    loginCode: loginNameField(),
    password: newPasswordField(),
    mobile: text('手机', { rule: rules.mobile }),
    setupCode: text('初始化码', {
      max: 40,
      masked: 'secret',
      help: '对外服务（HOST 不是本机地址）时必填，在服务的启动日志中',
    }),
  }),
  output: noData,
})

export const getMyCompany = call({
  route: 'GET Property/GetOne',
  title: '公司信息',
  needs: menu.company.permissions.view,
  input: noData,
  output: recordOf(property),
})

export const editCompany = call({
  route: 'POST Property/PutInfo',
  aliases: ['Property/Post'],
  title: '修改公司信息',
  needs: menu.company.permissions.edit,
  input: draftOf(property, ['appKey', 'expireDate', 'edition', 'state', 'closedModules']),
  output: recordOf(property),
  affects: ['property'],
})

/**
 * A new key pair for other systems that sign people in here; the secret is shown this once and kept as a
 * digest.
 */
export const resetAppSecret = call({
  route: 'POST Property/UpdateAppsecret',
  title: '重置接口密钥',
  needs: menu.company.permissions.secret,
  perMinute: 5,
  affects: ['property'],
  input: shape({ password: passwordField('当前密码') }),
  output: shape({
    appKey: text('AppKey', { required: true }),
    appSecret: text('AppSecret', { required: true, masked: 'secret' }),
  }),
})

/**
 * Signed in by another system of the company. The ticket is `payload.signature`: base64url of
 * `{"AppKey","Logincode","Time" (seconds),"Nonce"}` and base64url of its HMAC-SHA-256 under the SHA-256 of
 * the AppSecret. It holds five minutes and serves once.
 */
export const ssoLogin = call({
  route: 'POST Manager/SsoLogin',
  title: '单点登录',
  needs: publicAccess,
  perMinute: 60,
  input: shape({ ticket: text('登录凭证', { required: true, max: 2000, wire: 'Ticket', masked: 'secret' }) }),
  output: signInResult,
})
