import { call } from '#kit/contract/call.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  money,
  month,
  part,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { fileResponse, byId, pageOf, search, shape, reasonField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import {
  billMode,
  feeType,
  formulaType,
  periodAfter,
  skipReason,
  sourceType,
} from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { billRun, runScopeFields, skipCountFields } from './bill.ts'
import { previewGroup } from './choices.ts'

const { permissions } = menu.bill

/**
 * Which bills: of a month, for all or some standards, buildings, objects; less what was taken out by hand.
 */
const runRequestFields = {
  projectCode: estateField(),
  month: month('账期', { required: true }),
  ...runScopeFields,
}
export type RunRequest = ValueOf<typeof runRequestFields>

/** A bill that would be made, or a relation that would not. */
export const previewRowFields = {
  group: choice('分组', previewGroup, { required: true }),
  relationId: idOf('关联', { required: true, wire: 'RelationID' }),
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  buildCode: text('楼栋', { wire: 'Buildcode' }),
  payerName: text('缴费人'),
  itemName: text('收费项目', { required: true }),
  standardName: text('收费标准', { required: true }),
  begin: day('账期起'),
  end: day('账期止'),
  dueDate: day('应缴日'),
  amount: money('金额'),
  sentence: text('计算依据'),
  last: money('上期'),
  change: decimal('增减', { scale: 2, help: '比上期，百分数' }),
  /** A change of more than half, or no payer (GEN-6 PAYER_MISSING): the bill is generated anyway. */
  isLargeChange: flag('比上期增减超过 50%', { wire: 'Jump' }),
  payerMissing: flag('无缴费人'),
  reason: choice('原因', skipReason),
  detail: text('说明'),
  /** For a period in the middle: what tells a run to bill it, whether it does, and why it is free (GEN-3). */
  gapKey: text('标识', { wire: 'GapKey' }),
  selectedByDefault: flag('勾选', { wire: 'Ticked' }),
  periodAfter: choice('账期处理', periodAfter),
}

export type PreviewRow = ValueOf<typeof previewRowFields>

/** The most rows that are listed; counts and sums always cover all. */
export const previewLimit = 20_000
const figureFields = { count: int('数量', { required: true }), amount: money('金额', { required: true }) }

export const previewFields = {
  relations: int('关联数', { required: true }),
  make: part('将生成', figureFields, { required: true }),
  skip: int('跳过', { required: true }),
  warn: int('提醒', { required: true }),
  excluded: int('人工排除', { required: true }),
  gaps: int('中间未出账', { required: true }),
  jumps: int('比上期增减超过 50%', { required: true }),
  nobody: int('无缴费人', { required: true }),
  reasons: lines(
    '跳过原因',
    { reason: choice('原因', skipReason, { required: true }), count: int('数量', { required: true }) },
    { required: true },
  ),
  dueFrom: day('应缴日起'),
  dueTo: day('应缴日止'),
  rows: lines('明细', previewRowFields, { required: true }),
  /** Relations with more periods to catch up than one run makes (GEN-4). */
  incompleteRelations: int('还未补完', { required: true, wire: 'More' }),
  truncated: flag('未列全', { required: true }),
  pending: flag('生成后待审核', { required: true }),
}

export type RunPreview = ValueOf<typeof previewFields>

/**
 * With `isPreview` nothing is written and `preview` is returned; otherwise the run starts and `run` is
 * returned (GEN-5, GEN-9).
 */
export const generateBills = call({
  route: 'POST Feebill/PostCalcBill',
  title: '生成账单',
  needs: permissions.generate,
  affects: ['billRun', 'bill', 'feeRelation'],
  input: shape({ ...runRequestFields, isPreview: flag('仅预览', { initial: false }) }),
  output: shape({ preview: part('预览', previewFields), run: part('批次', billRun.fields) }),
})

/** The preview as a read call, for screens. */
export const previewBills = call({
  route: 'POST Feebill/PostCalcPreview',
  title: '预览账单',
  needs: permissions.generate,
  readOnly: true,
  input: shape(runRequestFields),
  output: shape(previewFields),
})

/** One group of the preview as a workbook (picture 07), up to the limit of the preview. */
export const exportPreview = call({
  route: 'POST Feebill/PostCalcPreviewExport',
  title: '导出账单预览',
  needs: permissions.generate,
  readOnly: true,
  input: shape({
    ...runRequestFields,
    group: choice('分组', previewGroup),
    reason: choice('原因', skipReason, { wire: 'SkipReason' }),
  }),
  output: fileResponse,
})

/** The standards of a project that can be billed: the first step of the wizard. */
export const getGenerateScope = call({
  route: 'GET Feebill/GetCalcScope',
  title: '可出账的收费标准',
  needs: permissions.generate,
  input: shape({ projectCode: estateField<true>() }),
  output: shape({
    pending: flag('生成后待审核', { required: true }),
    standards: lines(
      '收费标准',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        name: text('收费标准', { required: true }),
        itemName: text('收费项目', { required: true }),
        feeType: choice('费用类型', feeType, { required: true }),
        formulaType: choice('公式类型', formulaType, { required: true }),
        billMode: choice('出账方式', billMode, { required: true }),
        relations: int('关联数', { required: true }),
        billedTo: day('最早计费截至'),
      },
      { required: true },
    ),
  }),
})

export const listRuns = call({
  route: 'GET Feebill/GetRuns',
  title: '查询出账批次',
  needs: permissions.view,
  input: search(billRun, ['kind', 'month', 'state', 'createTime']),
  output: pageOf(billRun, { sums: ['made', 'amount'] }),
})

const runBillCountFields = {
  unpaid: int('未缴', { required: true }),
  unpaidAmount: money('未缴', { required: true }),
  paid: int('已缴或部分缴', { required: true }),
  invoiced: int('已开票', { required: true }),
  locked: int('支付中', { required: true }),
  abolished: int('已作废', { required: true, wire: 'Gone' }),
}

/** A batch with what has become of its bills: whether it can be undone, and how much of it. */
export const getRun = call({
  route: 'GET Feebill/GetRun',
  title: '查看出账批次',
  needs: permissions.view,
  input: byId,
  output: shape({
    ...billRun.fields,
    operatorName: text('发起人'),
    skips: lines('跳过', skipCountFields),
    billCounts: part('现状', runBillCountFields, { required: true, wire: 'Standing' }),
  }),
})

export type RunDetail = NonNullable<typeof getRun.output.T>

/**
 * Undoes a batch (GEN-7): refused when one of its bills is paid, unless only the unpaid ones are undone.
 * Above 2,000 bills a task does it.
 */
export const undoRun = call({
  route: 'PUT Feebill/UndoRun',
  title: '撤销出账批次',
  needs: permissions.abolish,
  affects: ['billRun', 'bill', 'feeRelation', 'meterReading', 'sharePool'],
  input: shape({
    id: idOf('批次', { required: true, min: 1, wire: 'ID' }),
    onlyUnpaid: flag('仅撤销未缴', { initial: false, wire: 'OnlyUnpaid' }),
    periodAfter: choice('账期处理', periodAfter, { initial: 'rebill' }),
    reason: reasonField,
  }),
  output: shape({
    abolished: int('已作废', { required: true }),
    kept: int('保留', { required: true }),
    taskId: idOf('任务', { wire: 'TaskID' }),
  }),
})

/**
 * The newest effective bill of a relation, or of an object and item, and where the next manual one begins
 * (BILL-10).
 */
export const getLastBill = call({
  route: 'GET Feebill/GetLastBill',
  title: '最近一张账单',
  needs: permissions.view,
  input: shape({
    relationId: idOf('关联', { min: 1, wire: 'RelationID' }),
    projectCode: estateField<false>({ required: false }),
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { max: 40 }),
    feeItemId: idOf('收费项目', { min: 1, wire: 'FeeItemID' }),
  }),
  output: shape({
    billNo: text('账单号'),
    beginDate: day('账期起'),
    endDate: day('账期止'),
    amount: money('金额'),
    nextBegin: day('下一期起'),
  }),
})
