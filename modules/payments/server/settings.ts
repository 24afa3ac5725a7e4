import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { allocOrder, roundOffMode } from '#modules/bills/contract/choices.ts'
import { declareSetting, settingsOf, wholeBetween } from '#modules/estates/server/public.ts'

const oneOf =
  (label: string, values: readonly string[]) =>
  (v: string): string | undefined =>
    values.includes(v) ? undefined : `${label}应为 ${values.join('、')} 之一`

const parameter = (
  key: string,
  label: string,
  help: string,
  initial: string,
  check: (v: string) => string | undefined,
) => declareSetting({ key, label, help, initial, check })

const alloc = parameter(
  'AllocOrder',
  '收款冲抵顺序',
  '1 违约金优先，2 本金优先，3 所有账单本金优先后再违约金',
  '1',
  oneOf('收款冲抵顺序', ['1', '2', '3']),
)

const partial = parameter(
  'AllowPartial',
  '柜台允许部分缴费',
  '1 允许，0 不允许',
  '1',
  oneOf('柜台允许部分缴费', ['0', '1']),
)

const roundOff = parameter('RoundOff', '抹零', '0 不抹，1 抹分，2 抹角', '0', oneOf('抹零', ['0', '1', '2']))

const backDate = parameter(
  'BackDateDays',
  '补录天数',
  '收款日期最多可以早于今天的天数',
  '3',
  wholeBetween('补录天数', 0, 31),
)

const waive = parameter(
  'AutoWaiveOnPrincipalPaid',
  '本金缴清后免收剩余违约金',
  '1 自动免收，0 仍然要收',
  '0',
  oneOf('本金缴清后免收剩余违约金', ['0', '1']),
)

const auditFrom = parameter(
  'RefundAuditFrom',
  '退款审核起点',
  '达到这个金额（元）的退款要由另一人审核；0 表示全部，99999999 表示都不用',
  '0',
  v => (/^\d{1,8}(\.\d{1,2})?$/.test(v) ? undefined : '退款审核起点应为金额，最多两位小数'),
)

const withInvoice = parameter(
  'RefundWithInvoice',
  '已开票也可退款',
  '1 可以（发票转为待红冲），0 先红冲再退款',
  '0',
  oneOf('已开票也可退款', ['0', '1']),
)

/** REF-3: from which sum on a refund needs another person. */
export const refundAuditFrom = async (db: Db, owner: number, project: string): Promise<Fen> =>
  parseYuan((await settingsOf(db, owner, project, [auditFrom]))[0]!)

/** REF-7 */
export const refundWithInvoice = async (db: Db, owner: number, project: string): Promise<boolean> =>
  (await settingsOf(db, owner, project, [withInvoice]))[0] === '1'

export interface PayRules {
  readonly order: ChoiceOf<typeof allocOrder>
  readonly allowPartial: boolean
  readonly roundOff: ChoiceOf<typeof roundOffMode>
  readonly backDateDays: number
  readonly waiveLeft: boolean
}

/** How a project takes money. */
export async function payRules(db: Db, owner: number, project: string): Promise<PayRules> {
  const [order, may, off, days, left] = await settingsOf(db, owner, project, [
    alloc,
    partial,
    roundOff,
    backDate,
    waive,
  ])
  return {
    order: keyOf(allocOrder, order!)!,
    allowPartial: may === '1',
    roundOff: keyOf(roundOffMode, off!)!,
    backDateDays: Number(days),
    waiveLeft: left === '1',
  }
}
