import { publicAccess, call } from '#kit/contract/call.ts'
import { choice, choiceTable, flag, idOf, int, text } from '#kit/contract/field.ts'
import { byId, noData, shape, reasonField } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const wechatBindingState = choiceTable('ResidentWechatState', '微信绑定进度', {
  waiting: [10, '等待扫码', 'todo'],
  scanned: [20, '已扫码', 'doing'],
  bound: [30, '已绑定', 'done'],
  refused: [40, '已取消', 'off'],
  expired: [50, '已过期', 'off'],
})

const uuid = text('标识', { required: true, max: 64, wire: ['uuid', 'Uuid'] })
const { edit } = menu.resident.permissions

/** A picture for one resident's own phone, good for ten minutes (URG-2). */
export const createResidentQr = call({
  route: 'POST User/PostBindWxQrCode',
  title: '住户绑定微信二维码',
  needs: edit,
  perMinute: 60,
  input: byId,
  output: shape({
    uuid,
    url: text('网址', { required: true, wire: 'Url' }),
    seconds: int('有效秒数', { required: true, wire: 'Seconds' }),
    simulated: flag('模拟渠道', { required: true, wire: 'Simulated', help: '未配置微信公众号' }),
  }),
})

export const getResidentQrState = call({
  route: 'GET User/CheckBindWx',
  title: '查询住户微信绑定',
  needs: edit,
  input: shape({ uuid }),
  output: shape({ state: choice('进度', wechatBindingState, { required: true }) }),
})

/** The phone has read the picture: whom it would stand for, and where WeChat asks its owner. */
export const scanResidentQr = call({
  route: 'POST User/ScanBindWx',
  title: '住户扫码',
  needs: publicAccess,
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
    name: text('称呼', { required: true, wire: 'Name' }),
    companyName: text('公司', { required: true, wire: 'PropertyCompanyName' }),
    address: text('授权地址', { required: true, wire: 'Address' }),
  }),
})

export const confirmResidentWechat = call({
  route: 'POST User/ConfirmBindWx',
  title: '住户确认绑定',
  needs: publicAccess,
  perMinute: 30,
  input: shape({ uuid, code: text('授权码', { required: true, max: 200, wire: 'Code', masked: 'secret' }) }),
  output: noData,
})

export const cancelResidentWechat = call({
  route: 'POST User/CancelBindWx',
  title: '住户取消绑定',
  needs: publicAccess,
  perMinute: 30,
  input: shape({ uuid }),
  output: noData,
})

export const unbindResidentWechat = call({
  route: 'PUT User/UnbindWx',
  title: '解除住户的微信绑定',
  needs: edit,
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    reason: reasonField,
  }),
  output: noData,
  affects: ['resident'],
})
