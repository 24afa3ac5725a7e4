import { choiceTable, day, int } from '#kit/contract/field.ts'
import { prestoreAccount } from '#modules/prestore/contract/account.ts'
import { menu } from '../module.ts'
import { report, some } from './report.ts'

const same = {
  of: prestoreAccount,
  filters: ['ownerKind', 'buildCode', 'state'],
  asks: { day: day('发生日期') },
  beside: { feeItem: int('限定项目', { wire: 'FeeItemID', min: 0 }) },
  needs: menu.report.may.view,
  exportNeeds: menu.report.may.export,
  figures: {
    open: some('期初余额', '含赠送'),
    came: some('收入', '充值、找零转存、押金转入与赠送'),
    offset: some('冲抵', '减去撤销的冲抵'),
    refund: some('退款'),
    other: some('转账与调整'),
    close: some('期末余额', '期初 + 收入 − 冲抵 − 退款 + 转账与调整'),
  },
}

export const reserveBy = choiceTable('AssetReportBy', '汇总方式', {
  owner: [1, '账户主体'],
  kind: [2, '主体类型'],
  item: [3, '限定项目'],
  build: [4, '楼栋'],
  project: [5, '项目'],
})

/** What lies with us as prestore: what there was, what moved, what is left. */
export const reserves = report({
  key: 'reserves',
  title: '预存汇总',
  by: reserveBy,
  at: 'GET finance/v1/Report/GetAssets',
  exportAt: 'GET finance/v1/Report/ExportAssets',
  ...same,
})

export const reserveMonthBy = choiceTable('AssetReportMonthBy', '汇总方式', { month: [1, '月份'] })

/** Each month opens with what the one before closed with (CLO-4). */
export const reserveMonths = report({
  key: 'reserveMonths',
  title: '预存逐月汇总',
  by: reserveMonthBy,
  edges: { open: 'first', close: 'last' },
  at: 'GET finance/v1/Report/GetAssetMonths',
  exportAt: 'GET finance/v1/Report/ExportAssetMonths',
  ...same,
})
