import { publicAccess, call, everyone } from '#kit/contract/call.ts'
import { choice, flag, int, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { qrState } from './sign-in.ts'
import { passwordField } from './credential-fields.ts'

const uuidField = text('标识', { required: true, max: 64, wire: ['uuid', 'Uuid'] })

/** A QR code for the WeChat of the signed-in user, good for two minutes (PERM-10). */
export const createWechatBindQr = call({
  route: 'GET Manager/GetBindWxQrCode',
  title: '获取绑定微信二维码',
  needs: everyone,
  perMinute: 30,
  input: noData,
  output: shape({
    uuid: uuidField,
    url: text('网址', { required: true, wire: 'Url' }),
    seconds: int('有效秒数', { required: true, wire: 'Seconds' }),
    simulated: flag('模拟渠道', { required: true, wire: 'Simulated', help: '未配置微信公众号' }),
  }),
})

/** The user's own picture only. */
export const getWechatBindState = call({
  route: 'GET Manager/CheckScanBindWx',
  title: '查询微信绑定状态',
  needs: everyone,
  input: shape({ uuid: uuidField }),
  output: shape({ state: choice('状态', qrState, { required: true }) }),
})

/** The phone has read the picture: whom it would stand for, and where WeChat asks its owner. */
export const scanWechatBindQr = call({
  route: 'POST Manager/ScanBindWx',
  title: '微信扫码',
  needs: publicAccess,
  perMinute: 30,
  input: shape({
    uuid: uuidField,
    origin: text('站点', {
      required: true,
      max: 200,
      wire: 'Origin',
      rule: {
        name: 'origin',
        test: v => (/^https?:\/\/[\w.:[\]-]+$/.test(v) ? undefined : '站点地址不正确'),
      },
    }),
  }),
  output: shape({
    realName: text('姓名', { required: true }),
    companyName: text('公司', { required: true, wire: 'PropertyCompanyName' }),
    address: text('授权地址', { required: true, wire: 'Address' }),
  }),
})

/** WeChat sent the phone back with a code. */
export const confirmWechatBind = call({
  route: 'POST Manager/ConfirmBindWx',
  title: '确认绑定微信',
  needs: publicAccess,
  perMinute: 30,
  input: shape({
    uuid: uuidField,
    code: text('授权码', { required: true, max: 200, wire: 'Code', masked: 'secret' }),
  }),
  output: noData,
})

export const cancelWechatBind = call({
  route: 'POST Manager/CancelBindWx',
  title: '取消绑定微信',
  needs: publicAccess,
  perMinute: 30,
  input: shape({ uuid: uuidField }),
  output: noData,
})

export const unbindWechat = call({
  route: 'POST Manager/UnbindWx',
  title: '解除微信绑定',
  needs: everyone,
  perMinute: 10,
  input: shape({ password: passwordField('当前密码') }),
  output: noData,
  affects: ['manager'],
})
