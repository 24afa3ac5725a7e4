import { call, publicAccess } from '#kit/contract/call.ts'
import {
  choice,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  money,
  part,
  text,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { fileResponse, idRule, pageOfRows, reasonField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { chargeState, orderAction, orderCategory, orderLevel, orderState, placeKind } from './choices.ts'
import { chargeLineInput } from './charge.ts'
import { evaluationInput } from './evaluation.ts'
import { maxPhotos, maxVideoBytes, photoList } from './work-order.ts'

/** A photo from a phone, made smaller before it is sent. */
export const maxPhotoBytes = 5 * 1024 * 1024

const basePath = 'workorder/v1/Resident'
const token = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })
const photoUrls = list('图片', { required: true })

/** Many residents are behind one address of a mobile network; wrong links have a limit of their own. */
const residentsPerMinute = 600

/** What the code of a room or a public area opens: where one is, and what can be reported there. */
export const openPlace = call({
  route: `GET ${basePath}/OpenPlace`,
  title: '打开报事页',
  needs: publicAccess,
  perMinute: residentsPerMinute,
  input: shape({ token }),
  output: shape({
    placeKind: choice('位置类别', placeKind, { required: true }),
    placeName: text('位置', { required: true }),
    estateName: text('项目', { required: true }),
    companyName: text('公司', { required: true }),
    servicePhone: text('服务电话'),
    types: lines(
      '类型',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        parentId: idOf('上级', { wire: 'ParentID' }),
        typeName: text('类型', { required: true }),
        category: choice('大类', orderCategory, { required: true }),
        isCharge: flag('有偿服务', { required: true }),
        serviceText: text('服务时间', { required: true }),
        /** What it costs, as the price list says. */
        prices: lines(
          '价目',
          {
            name: text('名称', { required: true }),
            unit: text('单位'),
            price: money('单价', { required: true }),
          },
          { required: true },
        ),
      },
      { required: true },
    ),
    maxPhotos: int('最多图片', { required: true }),
  }),
})

/**
 * A photo or a short video for a report or a rating, to be used within a day.
 */
export const uploadResidentFile = call({
  route: `POST ${basePath}/Upload`,
  title: '上传报事图片',
  needs: publicAccess,
  perMinute: 30,
  upload: maxVideoBytes,
  input: shape({ token }),
  output: shape({
    key: text('文件', { required: true }),
    url: text('地址', { required: true, wire: 'Url' }),
  }),
})

/** Reports at the place of the token. The order is followed by the token that it answers. */
export const reportAtPlace = call({
  route: `POST ${basePath}/Report`,
  title: '业主报事',
  needs: publicAccess,
  perMinute: 10,
  affects: ['workOrder'],
  input: shape({
    token,
    typeId: idOf('类型', { required: true, min: 1, wire: 'TypeID' }),
    content: text('内容', { required: true, min: 2, max: 2000 }),
    address: text('具体位置', { max: 60 }),
    photos: list('图片', { max: maxPhotos }),
    videos: list('视频', { max: 2 }),
    name: text('称呼', { max: 40 }),
    phone: text('联系电话', { required: true, max: 20, rule: rules.phone }),
    level: choice('紧急程度', orderLevel),
    appointTime: moment('预约时间'),
  }),
  output: shape({
    orderNo: text('工单号', { required: true }),
    orderToken: text('凭证', { required: true, wire: 'OrderToken' }),
    /** Orders that are open there already, by number and state alone (WO-7). */
    openSame: int('同类在办', { required: true }),
  }),
})

const stepFields = {
  action: choice('动作', orderAction, { required: true }),
  actionTime: moment('时间', { required: true }),
  text: text('说明', { required: true }),
  photos: photoUrls,
}

/** What its reporter sees of an order: no name or phone of anybody else. */
const residentOrder = {
  orderNo: text('工单号', { required: true }),
  typeName: text('类型', { required: true }),
  state: choice('状态', orderState, { required: true }),
  stateText: text('进度', { required: true }),
  address: text('位置'),
  content: text('内容', { required: true }),
  photos: photoUrls,
  registerTime: moment('报事时间', { required: true }),
  appointTime: moment('预约时间'),
  /** The surname of who handles it (`王师傅`). */
  handlerName: text('处理人'),
  finishDeadline: moment('预计完成'),
  resultText: text('处理结果'),
  resultPhotos: photoUrls,
  steps: lines('进度', stepFields, { required: true }),
  laborCost: money('人工费', { required: true }),
  materialCost: money('材料费', { required: true }),
  waiveCost: money('减免', { required: true }),
  lateFee: money('违约金', { required: true }),
  paidAmount: money('已付', { required: true }),
  amount: money('应付', { required: true }),
  isWarranty: flag('质保内免费', { required: true }),
  payState: choice('支付', chargeState),
  lines: lines(
    '费用明细',
    {
      ...chargeLineInput,
      quantity: decimal('数量', { required: true, scale: 3 }),
      amount: money('金额', { required: true }),
    },
    { required: true },
  ),
  evaluation: part('评价', {
    score: int('总分', { required: true }),
    speedScore: int('响应', { required: true }),
    attitudeScore: int('态度', { required: true }),
    qualityScore: int('质量', { required: true }),
    content: text('内容'),
    canChange: flag('可修改', { required: true }),
  }),
  canExpedite: flag('可催办', { required: true, wire: 'CanUrge' }),
  /** Minutes until it may be urged again. */
  expediteWait: int('再次催办需等待', { required: true, wire: 'UrgeWait' }),
  canCheck: flag('可验收', { required: true }),
  canPay: flag('可付款', { required: true }),
  canEvaluate: flag('可评价', { required: true }),
  canCancel: flag('可取消', { required: true }),
  canReward: flag('可打赏', { required: true }),
  estateName: text('项目', { required: true }),
  servicePhone: text('服务电话'),
}

const residentOrderShape = shape(residentOrder)

export const followOrder = call({
  route: `GET ${basePath}/Follow`,
  title: '查看报事进度',
  needs: publicAccess,
  perMinute: residentsPerMinute,
  input: shape({ token }),
  output: residentOrderShape,
})

const residentAction = {
  needs: publicAccess,
  perMinute: 20,
  affects: ['workOrder', 'workOrderRecord'],
} as const

export const expediteAsResident = call({
  route: 'POST workorder/v1/Resident/Urge',
  title: '业主催办',
  ...residentAction,
  input: shape({ token, remark: text('说明', { max: 200, wire: ['Content', 'Remark'] }) }),
  output: residentOrderShape,
})

export const checkAsResident = call({
  route: `POST ${basePath}/Check`,
  title: '业主验收',
  ...residentAction,
  input: shape({
    token,
    isPassed: flag('通过', { required: true, wire: ['IsPass', 'Pass'] }),
    reason: text('原因', { max: 200, wire: 'Reason', help: '退回时必填' }),
    photos: photoList('图片'),
  }),
  output: residentOrderShape,
})

export const cancelAsResident = call({
  route: `POST ${basePath}/Cancel`,
  title: '业主取消报事',
  ...residentAction,
  input: shape({ token, reason: reasonField }),
  output: residentOrderShape,
})

export const evaluateAsResident = call({
  route: `POST ${basePath}/Evaluate`,
  title: '业主评价',
  ...residentAction,
  input: shape({ token, ...evaluationInput }),
  output: residentOrderShape,
})

const payOutput = shape({
  orderNo: text('支付单号', { required: true, wire: 'OrderId' }),
  amount: money('金额', { required: true }),
  /** The payer's page of payments. */
  url: text('支付链接', { required: true, wire: 'PayUrl' }),
})

export const payAsResident = call({
  route: `POST ${basePath}/Pay`,
  title: '业主付款',
  ...residentAction,
  input: shape({ token }),
  output: payOutput,
})

export const rewardAsResident = call({
  route: `POST ${basePath}/Reward`,
  title: '业主打赏',
  ...residentAction,
  input: shape({
    token,
    amount: money('金额', { required: true, min: 1, max: 100_000 }),
    remark: text('留言', { max: 200 }),
  }),
  output: payOutput,
})

const codeFields = {
  placeKind: choice('位置类别', placeKind, { required: true }),
  id: idOf('编号', { required: true, wire: 'ID' }),
  code: text('编码', { required: true }),
  name: text('位置', { required: true }),
  buildCode: text('楼栋', { dataDomain: 'building', wire: 'Buildcode' }),
  url: text('报事链接', { required: true, wire: 'Url' }),
}

const codeInput = {
  projectCode: estateField<true>(),
  placeKind: choice('位置类别', placeKind, { required: true }),
  buildCodes: list('楼栋', { max: 200, wire: 'Buildcodes' }),
  ids: list('编号', { max: 2000, rule: idRule, wire: 'Ids' }),
}

/** Rooms or public areas with the links of their codes, which hang in public. */
export const listPlaceCodes = call({
  route: `GET ${basePath}/GetCodes`,
  title: '报事二维码',
  needs: menu.order.permissions.view,
  input: shape({
    ...codeInput,
    page: int('页码', { wire: 'PageIndex', min: 1 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
    keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
  }),
  output: pageOfRows(codeFields),
})

/** A sheet of codes to print and put up, 500 places at most. */
export const printPlaceCodes = call({
  route: `GET ${basePath}/GetCodeSheet`,
  title: '打印报事二维码',
  needs: menu.order.permissions.view,
  input: shape({
    ...codeInput,
    /** Where residents reach the product: what the browser that prints is at. */
    origin: text('网址', { required: true, max: 200, rule: rules.url }),
  }),
  output: fileResponse,
})
