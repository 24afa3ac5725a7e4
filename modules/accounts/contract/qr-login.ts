import { publicAccess, call, everyone } from '#kit/contract/call.ts'
import { choice, int, part, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { qrState, signedInManagerFields } from './sign-in.ts'

const uuidField = text('标识', { required: true, max: 64, wire: ['uuid', 'Uuid'] })
const secretField = text('凭据', { max: 64, wire: 'Secret', masked: 'secret' })

const loginQrFields = {
  uuid: uuidField,
  secret: { ...secretField, required: true as const },
  url: text('网址', { required: true, wire: 'Url' }),
  seconds: int('有效秒数', { required: true, wire: 'Seconds' }),
}

/**
 * A QR code for a phone that is signed in; the browser that shows it keeps the secret and polls the state
 * (PERM-10).
 */
export const createLoginQr = call({
  route: 'GET Manager/GetLoginQrCode',
  title: '获取登录二维码',
  needs: publicAccess,
  perMinute: 30,
  input: shape({ entry: text('入口', { max: 20, wire: 'Entry' }) }),
  output: shape(loginQrFields),
})

/** Once it is confirmed, the browser with the secret gets a session, once. */
export const getLoginQrState = call({
  route: 'GET Manager/CheckScanState',
  title: '查询扫码状态',
  needs: publicAccess,
  input: shape({ uuid: uuidField, secret: secretField }),
  output: shape({
    state: choice('状态', qrState, { required: true }),
    token: text('令牌', { wire: 'Token' }),
    manager: part('管理员', signedInManagerFields),
    nearestProjectCode: text('最近项目'),
  }),
})

/** What the phone shows before it confirms: which device would be signed in. */
export const scanLoginQr = call({
  route: 'POST Manager/ScanLogin',
  title: '扫码',
  needs: everyone,
  input: shape({ uuid: uuidField }),
  output: shape({
    ip: text('登录地址', { required: true, wire: 'Ip' }),
    agent: text('登录设备', { required: true, wire: 'Agent' }),
  }),
})

export const confirmQrLogin = call({
  route: 'POST Manager/ConfirmScanLogin',
  title: '确认扫码登录',
  needs: everyone,
  input: shape({ uuid: uuidField }),
  output: noData,
})

export const cancelQrLogin = call({
  route: 'POST Manager/CancelScanLogin',
  title: '取消扫码登录',
  needs: everyone,
  input: shape({ uuid: uuidField }),
  output: noData,
})
