import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { allocOrder, roundOffMode } from '#modules/bills/contract/choices.ts'
import { declareSetting, getSettingValues, integerBetween } from '#modules/estates/server/public.ts'

const checkOneOf =
  (label: string, values: readonly string[]) =>
  (v: string): string | undefined =>
    values.includes(v) ? undefined : `${label}应为 ${values.join('、')} 之一`

const declareParameter = (
  key: string,
  label: string,
  help: string,
  initial: string,
  check: (v: string) => string | undefined,
) => declareSetting({ key, label, help, defaultValue: initial, check })

const allocOrderSetting = declareParameter(
  'AllocOrder',
  '收款冲抵顺序',
  '1 违约金优先，2 本金优先，3 所有账单本金优先后再违约金',
  '1',
  checkOneOf('收款冲抵顺序', ['1', '2', '3']),
)

const allowPartialSetting = declareParameter(
  'AllowPartial',
  '柜台允许部分缴费',
  '1 允许，0 不允许',
  '1',
  checkOneOf('柜台允许部分缴费', ['0', '1']),
)

const roundOffSetting = declareParameter(
  'RoundOff',
  '抹零',
  '0 不抹，1 抹分，2 抹角',
  '0',
  checkOneOf('抹零', ['0', '1', '2']),
)

const backDateDaysSetting = declareParameter(
  'BackDateDays',
  '补录天数',
  '收款日期最多可以早于今天的天数',
  '3',
  integerBetween('补录天数', 0, 31),
)

const autoWaiveSetting = declareParameter(
  'AutoWaiveOnPrincipalPaid',
  '本金缴清后免收剩余违约金',
  '1 自动免收，0 仍然要收',
  '0',
  checkOneOf('本金缴清后免收剩余违约金', ['0', '1']),
)

const refundAuditFromSetting = declareParameter(
  'RefundAuditFrom',
  '退款审核起点',
  '达到该金额（元）的退款要由另一人审核；0 表示全部，99999999 表示均无需审核',
  '0',
  v => (/^\d{1,8}(\.\d{1,2})?$/.test(v) ? undefined : '退款审核起点应为金额，最多两位小数'),
)

const refundWithInvoiceSetting = declareParameter(
  'RefundWithInvoice',
  '已开票也可退款',
  '1 可以（发票转为待红冲），0 先红冲再退款',
  '0',
  checkOneOf('已开票也可退款', ['0', '1']),
)

const changeLimitSetting = declareParameter(
  'ChangeLimit',
  '找零核对起点',
  '现金找零超过该金额（元）时，收款前要求核对；99999999 表示不核对',
  '200',
  v => (/^\d{1,8}(\.\d{1,2})?$/.test(v) ? undefined : '找零核对起点应为金额，最多两位小数'),
)

const receiptsAfterCloseSetting = declareParameter(
  'TakingsAfterClose',
  '当天日结后的收款',
  '1 计入次日，0 停止收款',
  '1',
  checkOneOf('当天日结后的收款', ['0', '1']),
)

/** CLO-3: whether money taken after today was closed counts for tomorrow. */
export const goesToNextDay = async (db: Db, ownerId: Id, project: string): Promise<boolean> =>
  (await getSettingValues(db, ownerId, project, [receiptsAfterCloseSetting]))[0] === '1'

/** REF-3: from which sum on a refund needs another person. */
export const getRefundAuditThreshold = async (db: Db, ownerId: Id, project: string): Promise<Fen> =>
  parseYuan(defined((await getSettingValues(db, ownerId, project, [refundAuditFromSetting]))[0]))

/** REF-7 */
export const canRefundInvoiced = async (db: Db, ownerId: Id, project: string): Promise<boolean> =>
  (await getSettingValues(db, ownerId, project, [refundWithInvoiceSetting]))[0] === '1'

export interface PayRules {
  readonly order: ChoiceOf<typeof allocOrder>
  readonly allowPartial: boolean
  readonly roundOff: ChoiceOf<typeof roundOffMode>
  readonly backDateDays: number
  /** More change than this is asked about at the cashier. */
  readonly changeLimit: Fen
  readonly waiveRemainingLateFee: boolean
}

/** How a project takes money. */
export async function getPayRules(db: Db, ownerId: Id, project: string): Promise<PayRules> {
  const [order, partial, roundOffCode, days, waive, changeLimit] = await getSettingValues(
    db,
    ownerId,
    project,
    [
      allocOrderSetting,
      allowPartialSetting,
      roundOffSetting,
      backDateDaysSetting,
      autoWaiveSetting,
      changeLimitSetting,
    ],
  )
  return {
    order: defined(keyOf(allocOrder, defined(order))),
    allowPartial: partial === '1',
    roundOff: defined(keyOf(roundOffMode, defined(roundOffCode))),
    backDateDays: Number(days),
    changeLimit: parseYuan(defined(changeLimit)),
    waiveRemainingLateFee: waive === '1',
  }
}
