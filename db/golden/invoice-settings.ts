import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { assignInvoiceGood } from '#modules/fees/server/public.ts'
import { invoiceGood, invoiceSetting } from '#modules/invoices/contract/setting.ts'

/** Goods of an estate, by the categories of the fee items that are invoiced as them. */
const invoiceGoods = [
  {
    goodName: '物业费',
    shortName: '企业管理服务',
    taxCode: '3040801010000000000',
    taxRate: '0.06',
    unit: '月',
    isDeposit: true,
    categories: [10, 50, 90, 99],
  },
  {
    goodName: '自来水',
    shortName: '水冰雪',
    taxCode: '1100301010000000000',
    taxRate: '0.03',
    unit: '吨',
    categories: [20],
  },
  {
    goodName: '电费',
    shortName: '供电',
    taxCode: '1100101020000000000',
    taxRate: '0.13',
    unit: '度',
    categories: [30, 40],
  },
  {
    goodName: '停车费',
    shortName: '经营租赁',
    taxCode: '3040502020200000000',
    taxRate: '0.05',
    unit: '月',
    categories: [60],
  },
  {
    goodName: '租金',
    shortName: '经营租赁',
    taxCode: '3040502020100000000',
    taxRate: '0.09',
    unit: '月',
    categories: [70],
  },
  {
    goodName: '维修服务',
    shortName: '劳务',
    taxCode: '2010500000000000000',
    taxRate: '0.06',
    unit: '次',
    categories: [80],
  },
] as const

/**
 * Every company of the demo can invoice: through the platform simulator of this machine until it enters its
 * own account.
 */
export async function seedInvoiceSettings(tx: Tx, scope: Scope, companyName: string): Promise<void> {
  await insert(tx, invoiceSetting, scope, {
    companyName,
    taxNo: '91320506MA1DEMO00X',
    address: '苏州市吴中区锦绣路 88 号 0512-66001234',
    bank: '演示银行吴中支行 100000000012345',
    drawer: '开票员甲',
    payee: '收费员甲',
    reviewer: '复核甲',
    channel: 'platform',
    simulated: true,
    kinds: ['eNormal', 'eSpecial'],
    prestoreMode: 'deduct',
    refuseNextYear: true,
    paidUpOnly: false,
  })
  for (const { categories, ...g } of invoiceGoods) {
    const made = await insert(tx, invoiceGood, scope, { ...g, isNoTax: false, state: 'on' })
    await assignInvoiceGood(
      tx,
      scope,
      made.id,
      (
        await tx.rows<{ id: Id }>(
          sql`
            select id
            from fee_item
            where owner_id = ${scope.ownerId} and category = any(${[...categories]}::int[]) and delete_tag = 0
          `,
        )
      ).map(i => i.id),
    )
  }
  await insert(tx, invoiceGood, scope, {
    goodName: '预存款',
    shortName: '预付卡销售',
    taxCode: '6010000000000000000',
    taxRate: '0',
    isNoTax: true,
    state: 'on',
  })
}
