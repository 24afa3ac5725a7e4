import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { assignInvoiceGood } from '#modules/fees/server/public.ts'
import { findInvoiceableParts } from '#modules/payments/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '#modules/invoices/contract/record.ts'
import { invoiceGood, invoiceSetting } from '#modules/invoices/contract/setting.ts'
import type { Title } from '#modules/invoices/contract/title.ts'
import type { InvoiceKind } from '#modules/invoices/domain/invoice.ts'
import { applyCancel, completeRedInvoice, createRedInvoice } from '#modules/invoices/server/red-invoice.ts'
import { createInvoice } from '#modules/invoices/server/create-invoice.ts'
import { findParts, changeState } from '#modules/invoices/server/invoice-state.ts'
import { ownerScope } from './seed-estate.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceChannel, invoiceState } from '#modules/invoices/contract/choices.ts'
import { recordState, recordType } from '#modules/payments/contract/choices.ts'

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

const buyerTitle = (n: number): Title => ({
  titleType: 'company',
  title: `演示购买方${n}有限公司`,
  taxNo: `91320506MA1DEMO${String(10 + n)}Y`,
  addressPhone: '苏州市吴中区演示路 1 号 0512-66000000',
  bankAccount: '演示银行 100000000054321',
  email: 'finance@example.com',
})

interface PaidPayment {
  readonly id: Id
  readonly name: string
  readonly at: Moment
}

/**
 * Two weeks of invoices: most issued, some waiting or failed, one taken back in red, one in part, one
 * cancelled, one to be taken back. Five have just been handed to the platform, which issues them when it is
 * started: their files can be fetched.
 */
export async function seedInvoices(
  database: Database,
  owner: Scope,
  project: string,
  cashierLogin: string,
  supervisorLogin: string,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  await database.tx(owner.ownerId, async tx => {
    const people = new Map(
      (
        await tx.rows<{ id: Id; login: string; name: string }>(
          sql`
            select id, login_code as login, real_name as name
            from manager
            where owner_id = ${owner.ownerId} and login_code = any(${[cashierLogin, supervisorLogin]})
          `,
        )
      ).map(m => [m.login, ownerScope(owner.ownerId, m.id, m.name)]),
    )
    const cashier = defined(people.get(cashierLogin))
    const supervisor = defined(people.get(supervisorLogin))
    const found = await tx.rows<PaidPayment>(
      sql`
        select id, coalesce(payer_name, source_name) as name, pay_time as at
        from pay_record
        where owner_id = ${owner.ownerId}
          and project_code = ${project}
          and record_type = ${code(recordType, 'payment')}
          and state = ${code(recordState, 'normal')}
          and refunding_amount = 0
          and pay_day between ${addDays(today, -20)} and ${addDays(today, -2)}
        order by pay_time, id
        limit 34
      `,
    )
    const open = async (p: PaidPayment, i: number): Promise<InvoiceRecord | undefined> => {
      const parts = (await findInvoiceableParts(tx, owner.ownerId, [p.id], 'deduct')).filter(x => x.open > 0)
      const company = i % 5 === 3
      const kind: InvoiceKind = company && i % 2 ? 'eSpecial' : 'eNormal'
      return parts.length
        ? createInvoice(
            tx,
            cashier,
            {
              parts: parts.map(x => ({ recordId: x.recordId, detailId: x.detailId, amount: x.open })),
              kind,
              title: company ? buyerTitle(i) : { titleType: 'personal', title: p.name },
            },
            addMinutes(p.at, 30),
          )
        : undefined
    }
    let no = 0
    const issued = async (r: InvoiceRecord, at: Moment): Promise<void> => {
      await changeState(tx, cashier, r, 'doing')
      await changeState(tx, cashier, r, 'issued', {
        invoice_no: `25${String(++no).padStart(18, '0')}`,
        issue_time: at,
      })
    }
    const made: { readonly r: InvoiceRecord; readonly at: Moment }[] = []
    for (const [i, p] of found.entries()) {
      const r = await open(p, i)
      if (r) {
        made.push({ r, at: addMinutes(p.at, 31) })
      }
    }
    for (const [i, { r, at }] of made.entries()) {
      await tx.execute(
        sql`
          update invoice_record
          set create_time = ${addMinutes(at, -1)}
          where owner_id = ${owner.ownerId} and id = ${r.id}
        `,
      )
      // Those that have their number from elsewhere have no file here.
      if (i < made.length - 10) {
        await tx.execute(
          sql`
            update invoice_record
            set channel = ${code(invoiceChannel, 'manual')}
            where owner_id = ${owner.ownerId} and id = ${r.id}
          `,
        )
        await issued(r, at)
      } else if (i < made.length - 5) {
        await tx.execute(
          sql`
            update invoice_record
            set state = ${code(invoiceState, 'doing')}, query_time = ${now}
            where owner_id = ${owner.ownerId} and id = ${r.id}
          `,
        )
      } else if (i === made.length - 5) {
        await changeState(tx, cashier, r, 'doing')
        await changeState(tx, cashier, r, 'failed', { fail_reason: '购买方税号与名称不符，请核对抬头' })
      } else if (i === made.length - 4) {
        await applyCancel(tx, cashier, r, '业主改开公司抬头')
      }
    }
    const [back, due, half] = [made[3], made[6], made[9]]
    if (back) {
      const red = await createRedInvoice(tx, supervisor, back.r.id, '抬头有误', today)
      await issued(red, `${addDays(today, -3)} 10:12:00`)
      await completeRedInvoice(tx, supervisor, await requireById(tx, invoiceRecord, owner, red.id))
    }
    if (half) {
      const [part] = await findParts(tx, owner.ownerId, half.r.id)
      const red = await createRedInvoice(tx, supervisor, half.r.id, '金额有误', today, [
        { partId: defined(part).id, amount: asFen(Math.ceil(defined(part).amount / 2)) },
      ])
      await issued(red, `${addDays(today, -2)} 15:40:00`)
      await completeRedInvoice(tx, supervisor, await requireById(tx, invoiceRecord, owner, red.id))
    }
    if (due) {
      await changeState(tx, supervisor, due.r, 'redDue', { red_reason: '收款已退款' }, '收款已退款')
    }
  })
}
