import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Database, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { findInvoiceableParts } from '#modules/payments/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '#modules/invoices/contract/record.ts'
import type { Title } from '#modules/invoices/contract/title.ts'
import type { InvoiceKind } from '#modules/invoices/domain/invoice.ts'
import { applyCancel, completeRedInvoice, createRedInvoice } from '#modules/invoices/server/red-invoice.ts'
import { createInvoice } from '#modules/invoices/server/create-invoice.ts'
import { findParts, changeState } from '#modules/invoices/server/invoice-state.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceChannel, invoiceState } from '#modules/invoices/contract/choices.ts'
import { recordState, recordType } from '#modules/payments/contract/choices.ts'

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

interface IssuedInvoice {
  readonly record: InvoiceRecord
  readonly at: Moment
}

type CountedIssue = (record: InvoiceRecord, at: Moment) => Promise<void>

/** The accounts of a company by their login. */
async function findStaff(
  tx: Tx,
  scope: Scope,
  logins: readonly string[],
): Promise<ReadonlyMap<string, Scope>> {
  const found = await tx.rows<{ id: Id; login: string; name: string }>(sql`
    select id, login_code as login, real_name as name
    from manager
    where owner_id = ${scope.ownerId} and login_code = any(${[...logins]})
  `)
  return new Map(found.map(({ id, login, name }) => [login, { ...scope, operatorId: id, name }]))
}

const findPaidPayments = (tx: Tx, ownerId: Id, project: string, today: Day): Promise<PaidPayment[]> =>
  tx.rows<PaidPayment>(sql`
    select id, coalesce(payer_name, source_name) as name, pay_time as at
    from pay_record
    where owner_id = ${ownerId}
      and project_code = ${project}
      and record_type = ${code(recordType, 'payment')}
      and state = ${code(recordState, 'normal')}
      and refunding_amount = 0
      and pay_day between ${addDays(today, -20)} and ${addDays(today, -2)}
    order by pay_time, id
    limit 34
  `)

/** The invoice of a payment, asked for and not yet issued; none where nothing is left to invoice. */
async function openInvoice(
  tx: Tx,
  cashier: Scope,
  { id, name, at }: PaidPayment,
  position: number,
): Promise<InvoiceRecord | undefined> {
  const parts = (await findInvoiceableParts(tx, cashier.ownerId, [id], 'deduct')).filter(
    part => part.open > 0,
  )
  if (!parts.length) return undefined
  const isCompany = position % 5 === 3
  const kind: InvoiceKind = isCompany && position % 2 ? 'eSpecial' : 'eNormal'
  return createInvoice(
    tx,
    cashier,
    {
      parts: parts.map(({ recordId, detailId, open }) => ({ recordId, detailId, amount: open })),
      kind,
      title: isCompany ? buyerTitle(position) : { titleType: 'personal', title: name },
    },
    addMinutes(at, 30),
  )
}

/** Gives issued invoices their numbers, one after the other. */
function createIssuer(tx: Tx, cashier: Scope): CountedIssue {
  let issued = 0
  return async (record, at) => {
    await changeState(tx, cashier, record, 'doing')
    await changeState(tx, cashier, record, 'issued', {
      invoice_no: `${at.slice(2, 4)}9${String(++issued).padStart(17, '0')}`,
      issue_time: at,
    })
  }
}

/** What became of an invoice: most are issued, of the last ten some are waiting, failed or cancelled. */
async function advanceInvoice(
  tx: Tx,
  cashier: Scope,
  { record, at }: IssuedInvoice,
  beforeLast: number,
  issue: CountedIssue,
  now: Moment,
): Promise<void> {
  const setColumns = (columns: RawBuilder<unknown>): Promise<unknown> =>
    tx.execute(sql`
      update invoice_record
      set ${columns}
      where owner_id = ${cashier.ownerId} and id = ${record.id}
    `)
  await setColumns(sql`create_time = ${addMinutes(at, -1)}`)
  if (beforeLast > 10) {
    // Those that have their number from elsewhere have no file here.
    await setColumns(sql`channel = ${code(invoiceChannel, 'manual')}`)
    await issue(record, at)
  } else if (beforeLast > 5) {
    await setColumns(sql`state = ${code(invoiceState, 'doing')}, query_time = ${now}`)
  } else if (beforeLast === 5) {
    await changeState(tx, cashier, record, 'doing')
    await changeState(tx, cashier, record, 'failed', { fail_reason: '购买方税号与名称不符，请核对抬头' })
  } else if (beforeLast === 4) {
    await applyCancel(tx, cashier, record, '业主改开公司抬头')
  }
}

/** Takes an invoice back in red, or the given parts of it. */
async function takeBack(
  tx: Tx,
  supervisor: Scope,
  record: InvoiceRecord,
  { reason, at, parts }: { reason: string; at: Moment; parts?: { partId: Id; amount: Fen }[] },
  issue: CountedIssue,
  today: Day,
): Promise<void> {
  const red = await createRedInvoice(tx, supervisor, record.id, reason, today, parts)
  await issue(red, at)
  await completeRedInvoice(tx, supervisor, await requireById(tx, invoiceRecord, supervisor, red.id))
}

/** One invoice taken back, one in part, and one to be taken back. */
async function takeInvoicesBack(
  tx: Tx,
  supervisor: Scope,
  [whole, due, half]: readonly (InvoiceRecord | undefined)[],
  issue: CountedIssue,
  today: Day,
): Promise<void> {
  if (whole) {
    const at: Moment = `${addDays(today, -3)} 10:12:00`
    await takeBack(tx, supervisor, whole, { reason: '抬头有误', at }, issue, today)
  }
  if (half) {
    const [part] = await findParts(tx, supervisor.ownerId, half.id)
    const parts = [{ partId: defined(part).id, amount: asFen(Math.ceil(defined(part).amount / 2)) }]
    const at: Moment = `${addDays(today, -2)} 15:40:00`
    await takeBack(tx, supervisor, half, { reason: '金额有误', at, parts }, issue, today)
  }
  if (due) {
    await changeState(tx, supervisor, due, 'redDue', { red_reason: '收款已退款' }, '收款已退款')
  }
}

/**
 * Two weeks of invoices: most issued, some waiting or failed, one taken back in red, one in part, one
 * cancelled, one to be taken back. Five have just been handed to the platform, which issues them when it is
 * started: their files can be fetched.
 */
export async function seedInvoices(
  database: Database,
  scope: Scope,
  project: string,
  cashierLogin: string,
  supervisorLogin: string,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  await database.tx(scope.ownerId, async tx => {
    const staff = await findStaff(tx, scope, [cashierLogin, supervisorLogin])
    const cashier = defined(staff.get(cashierLogin))
    const supervisor = defined(staff.get(supervisorLogin))
    const issue = createIssuer(tx, cashier)
    const invoices: IssuedInvoice[] = []
    for (const [i, payment] of (await findPaidPayments(tx, scope.ownerId, project, today)).entries()) {
      const record = await openInvoice(tx, cashier, payment, i)
      if (record) {
        invoices.push({ record, at: addMinutes(payment.at, 31) })
      }
    }
    for (const [i, invoice] of invoices.entries()) {
      await advanceInvoice(tx, cashier, invoice, invoices.length - i, issue, now)
    }
    const chosen = [3, 6, 9].map(i => invoices[i]?.record)
    await takeInvoicesBack(tx, supervisor, chosen, issue, today)
  })
}
