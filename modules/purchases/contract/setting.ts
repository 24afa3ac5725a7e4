import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { decimal, flag, keyRef, lines, list, money, text, type Rule } from '#kit/contract/field.ts'
import { idRule, noData, draftOf, recordOf } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const prefixRule: Rule = {
  name: 'purchasePrefix',
  test: value => (/^[A-Z]{2,4}$/.test(value) ? undefined : '应为 2 至 4 个大写字母'),
  hint: 'CG',
}

const people = (label: string, help: string) => ({
  ...list(label, { max: 200, rule: idRule, help }),
  target: 'manager',
})

/** How the company buys: one row. */
export const purchaseSetting = entity(
  'purchaseSetting',
  '采购设置',
  { table: 'purchase_setting', tenancy: 'company', title: 'numberPrefix', order: ['id'] },
  {
    exemptAmount: money('免审批金额', {
      required: true,
      initial: 0,
      min: 0,
      max: 99_999_999_900,
      help: '没有适用的审批流程时，预估金额不超过此数的提交后直接批准；0 为都要审批',
    }),
    allowsAhead: flag('紧急采购可先下单', {
      required: true,
      initial: false,
      help: '标为紧急的申请在审批中即可下单、收货，审批照常进行',
    }),
    orderTolerance: decimal('订单可超出批准金额', {
      required: true,
      initial: '10',
      scale: 2,
      min: 0,
      max: 999,
      unit: '%',
      help: '一次采购全部订单与全部收货的合计，最多可超过相应明细的批准金额的比例；超出的须修改采购并重新审批',
    }),
    tolerance: decimal('超收容差', {
      required: true,
      initial: '0',
      scale: 2,
      min: 0,
      max: 20,
      unit: '%',
      help: '收货数量最多可超过下单数量的比例',
    }),
    separatesReceiver: flag('下单人不能收货', { required: true, initial: false }),
    buyerIds: people('可下单人员', '在有「采购订单·新增」权限的人中限定；不选为都可以'),
    receiverIds: people('可收货人员', '在有「收货记录·新增」权限的人中限定；不选为都可以'),
    numberPrefix: text('单号前缀', {
      required: true,
      initial: 'CG',
      max: 4,
      rule: prefixRule,
      help: '采购单号为前缀、日期与六位序号；只影响之后的单号',
    }),
    limits: lines(
      '项目限额',
      {
        projectCode: keyRef('项目', 'estate', { required: true, wire: 'ProjectCode' }),
        requestLimit: money('单笔上限', { min: 1, max: 99_999_999_900 }),
        monthLimit: money('每月上限', { min: 1, max: 99_999_999_900 }),
      },
      { max: 500, wire: 'Limits' },
    ),
  },
)

export type PurchaseSetting = Row<typeof purchaseSetting>

export const getPurchaseSetting = call({
  route: 'GET oa/v1/Purchases/GetSetting',
  title: '采购设置',
  needs: menu.setting.permissions.view,
  input: noData,
  output: recordOf(purchaseSetting),
})

export const savePurchaseSetting = call({
  route: 'POST oa/v1/Purchases/SaveSetting',
  title: '保存采购设置',
  needs: menu.setting.permissions.edit,
  affects: ['purchaseSetting'],
  input: draftOf(purchaseSetting, [], { isOnlyRecord: true }),
  output: recordOf(purchaseSetting),
})
