import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, list, moment, text } from '#kit/contract/field.ts'
import { listOfRows, noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { accountType, authState, messageMode } from './choices.ts'

const { permissions } = menu.account
const inDetail = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
const reported = { immutable: true, ...inDetail } as const

const appIdRule = {
  name: 'wechatAppId',
  hint: 'wx 开头的 18 位',
  test: (v: string): string | undefined =>
    /^wx[0-9a-f]{16}$/.test(v) ? undefined : 'AppID 应为 wx 开头的 18 位小写字母与数字',
}

/** An official account or mini program of the company. What it signs and encrypts with goes in, never out. */
export const wechatAccount = entity(
  'wechatAccount',
  '公众号',
  { table: 'wechat_account', tenancy: 'company', title: 'mpName', order: ['id'] },
  {
    mpName: text('名称', { required: true, max: 60, searchable: true, wire: 'MpName' }),
    mpType: choice('类型', accountType, { required: true, initial: 'service', wire: 'MpType' }),
    appId: text('AppID', {
      required: true,
      max: 40,
      rule: appIdRule,
      immutable: true,
      searchable: true,
      wire: ['AppId', 'AppID'],
    }),
    originalId: text('原始ID', {
      max: 40,
      wire: 'OriginalID',
      help: '公众号设置中 gh_ 开头的编号',
      hiddenIn: ['table', 'filter'],
    }),
    simulated: flag('模拟公众号', {
      required: true,
      initial: false,
      immutable: true,
      help: '连接本机的微信模拟器，用于试用；不会发到真实的微信',
      hiddenIn: ['table', 'filter'],
    }),
    messageMode: choice('消息加密方式', messageMode, {
      required: true,
      initial: 'encrypted',
      help: '与微信公众平台「服务器配置」中选择的一致；建议安全模式',
      hiddenIn: ['table', 'filter'],
    }),
    authState: choice('授权状态', authState, { immutable: true, hiddenIn: ['form'] }),
    authFault: text('失效原因', { max: 200, ...reported }),
    testTime: moment('最近测试', reported),
    hasStoredSecret: flag('已存 AppSecret', { derived: true, ...inDetail }),
    hasServerConfig: flag('已生成服务器配置', { derived: true, ...inDetail }),
    projectCodes: list('绑定项目', { derived: true, wire: 'Projectcodes', hiddenIn: ['form', 'filter'] }),
    projectNames: text('绑定项目', { derived: true, hiddenIn: ['form', 'filter'], wire: 'ProjectNames' }),
    followers: int('关注人数', { derived: true, hiddenIn: ['form', 'filter'], wire: 'Followers' }),
    mchId: text('微信支付商户号', {
      derived: true,
      wire: ['MchId', 'MchID'],
      help: '取自支付设置，AppID 一致时可在微信内付款',
      ...inDetail,
    }),
    simulatorUrl: text('模拟器', { derived: true, ...inDetail }),
  },
)

export type WechatAccount = Row<typeof wechatAccount>

const appSecret = text('AppSecret', { max: 64, masked: 'secret', wire: 'AppSecret' })

export const wechatAccounts = crud(wechatAccount, {
  path: 'msgcenter/v1/WxSetting',
  permissions,
  filters: ['mpType', 'authState'],
  without: ['authState', 'authFault', 'testTime'],
  list: { route: 'GET msgcenter/v1/WxSetting/GetWxMps', title: '查询公众号' },
  addFields: { appSecret: { ...appSecret, help: '在微信公众平台「基本配置」中取得；保存后不再显示' } },
})

/** Replaces the secret: the access token of the one before is forgotten. */
export const saveAppSecret = call({
  route: 'POST msgcenter/v1/WxSetting/SaveSecret',
  title: '更换公众号密钥',
  needs: permissions.secret,
  input: shape({ id: recordIdField, appSecret: { ...appSecret, required: true as const } }),
  output: noData,
  affects: ['wechatAccount'],
})

/** A new token and key for the messages of the platform, shown once. */
export const resetServerConfig = call({
  route: 'POST msgcenter/v1/WxSetting/ResetServerConfig',
  title: '生成公众号服务器配置',
  needs: permissions.secret,
  input: shape({ id: recordIdField }),
  output: shape({
    address: text('服务器地址', { required: true }),
    token: text('令牌', { required: true }),
    encodingAesKey: text('消息加解密密钥', { required: true, wire: 'EncodingAESKey' }),
  }),
  affects: ['wechatAccount'],
})

/** Asks the platform for an access token. */
export const testWechatAccount = call({
  route: 'POST msgcenter/v1/WxSetting/Test',
  title: '测试公众号连接',
  needs: permissions.test,
  perMinute: 20,
  input: shape({ id: recordIdField }),
  output: shape({
    isOk: flag('可以使用', { required: true }),
    message: text('结果', { required: true }),
  }),
  affects: ['wechatAccount'],
})

/** Which account is paid by which merchant number; it is set in the payment channels. */
export const listPaySettings = call({
  route: 'GET ThePublicManagement/GetWxPaySetList',
  title: '公众号支付设置',
  needs: permissions.view,
  input: noData,
  output: listOfRows(
    {
      id: recordIdField,
      mpName: wechatAccount.fields.mpName,
      appId: wechatAccount.fields.appId,
      mchId: text('商户号', { wire: ['MchId', 'MchID'] }),
      isMatching: flag('AppID 一致', { required: true }),
      isEnabled: flag('渠道启用', { required: true }),
    },
    { entity: 'wechatAccount' },
  ),
})
