import { anybody, call, everyone } from '#kit/contract/call.ts'
import { choice, flag, int, text } from '#kit/contract/field.ts'
import { nothing, shape } from '#kit/contract/shape.ts'
import { qrState } from './sign-in.ts'
import { password } from './words.ts'

const uuid = text('标识', { required: true, max: 64, wire: ['uuid', 'Uuid'] })

/** A picture for the WeChat of whoever is signed in, good for two minutes (PERM-10). */
export const bindQr = call({
  at: 'GET Manager/GetBindWxQrCode',
  title: '获取绑定微信二维码',
  needs: everyone,
  perMinute: 30,
  input: nothing,
  output: shape({
    uuid,
    url: text('网址', { required: true, wire: 'Url' }),
    seconds: int('有效秒数', { required: true, wire: 'Seconds' }),
    simulated: flag('本机模拟', { required: true, wire: 'Simulated', help: '没有配置微信公众号' }),
  }),
})

/** One's own picture only. */
export const bindState = call({
  at: 'GET Manager/CheckScanBindWx',
  title: '查询微信绑定状态',
  needs: everyone,
  input: shape({ uuid }),
  output: shape({ state: choice('状态', qrState, { required: true }) }),
})

/** The phone has read the picture: whom it would stand for, and where WeChat asks its owner. */
export const bindScanned = call({
  at: 'POST Manager/ScanBindWx',
  title: '微信扫码',
  needs: anybody,
  perMinute: 30,
  input: shape({
    uuid,
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
export const bindConfirm = call({
  at: 'POST Manager/ConfirmBindWx',
  title: '确认绑定微信',
  needs: anybody,
  perMinute: 30,
  input: shape({ uuid, code: text('授权码', { required: true, max: 200, wire: 'Code', masked: 'secret' }) }),
  output: nothing,
})

export const bindCancel = call({
  at: 'POST Manager/CancelBindWx',
  title: '取消绑定微信',
  needs: anybody,
  perMinute: 30,
  input: shape({ uuid }),
  output: nothing,
})

export const unbind = call({
  at: 'POST Manager/UnbindWx',
  title: '解除微信绑定',
  needs: everyone,
  perMinute: 10,
  input: shape({ password: password('当前密码') }),
  output: nothing,
  affects: ['manager'],
})
