import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { wireNameOf, refuse, invalidInput } from '#kit/contract/wire.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { maskPhone } from '#kit/contract/text.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { restoreMasked } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, findPage, remove, findAll, update, withAllFields } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { titleType } from '../contract/choices.ts'
import {
  deleteTitles,
  editTitle,
  invoiceTitle,
  listTitles,
  titleFields,
  titleFilters,
  type Title,
} from '../contract/title.ts'
import { titleFaults } from '../domain/invoice.ts'

export interface InvoicePayer {
  readonly kind?: 'resident' | 'company' | undefined
  readonly id?: Id | undefined
  readonly name: string
}

const titleKeys = [
  'titleType',
  'title',
  'taxNo',
  'addressPhone',
  'bankAccount',
  'email',
  'mobile',
] as const satisfies readonly (keyof Title)[]

/** INV-4, each fault at its field. */
export function assertTitleValid(title: Title, kind: Parameters<typeof titleFaults>[1]): void {
  const messages = {
    ...titleFaults(title, kind),
    // One that was masked and that nobody knows in full.
    ...(title.mobile && maskedPattern.test(title.mobile)
      ? { mobile: '手机号含有星号，请填写完整的号码' }
      : {}),
  }
  const faults = titleKeys.flatMap(key => {
    const message = messages[key]
    return message ? [{ Field: wireNameOf(key, titleFields[key]), Message: message }] : []
  })
  if (faults.length) throw invalidInput(faults)
}

const payerCondition = (p: InvoicePayer) =>
  p.id !== undefined && p.kind
    ? sql`payer_kind = ${codeOf(payerSide, p.kind)} and payer_id = ${p.id}`
    : sql`payer_id is null and payer_name = ${p.name}`

/** The titles that a payer has used, the latest first; else a company's own, else the payer's name. */
export async function findTitles(db: Db, scope: Scope, payer: InvoicePayer): Promise<readonly Title[]> {
  const usedTitles = await findAll(db, invoiceTitle, scope, {}, { where: [payerCondition(payer)], limit: 20 })
  if (usedTitles.length) return usedTitles.map(pickTitle)
  if (payer.kind === 'company' && payer.id !== undefined) {
    const company = await db.one<{
      name: string
      invoiceTitle?: string
      taxNo?: string
      creditCode?: string
      bankName?: string
      bankAccount?: string
    }>(
      sql`
        select name, invoice_title, tax_no, credit_code, bank_name, bank_account
        from company
        where owner_id = ${scope.ownerId} and id = ${payer.id} and ${notDeleted()}
      `,
    )
    if (company)
      return [
        {
          titleType: 'company',
          title: company.invoiceTitle ?? company.name,
          ...((company.taxNo ?? company.creditCode) ? { taxNo: company.taxNo ?? company.creditCode } : {}),
          ...(company.bankAccount
            ? { bankAccount: [company.bankName, company.bankAccount].filter(Boolean).join(' ') }
            : {}),
        },
      ]
  }
  return [{ titleType: 'personal', title: payer.name }]
}

/** A title chosen of those the payer has used comes back with its mobile masked: it is the stored one. */
export async function restoreTitle(db: Db, scope: Scope, payer: InvoicePayer, title: Title): Promise<Title> {
  if (!title.mobile || !maskedPattern.test(title.mobile)) return title
  const used = (await findTitles(db, scope, payer)).find(
    ({ mobile }) => mobile !== undefined && maskPhone(mobile) === title.mobile,
  )
  return used ? { ...title, mobile: used.mobile } : title
}

/** The fields of a title alone, those without a value left out. */
export const pickTitle = ({ titleType: type, title, ...values }: Title): Title => ({
  titleType: type,
  title,
  ...(values.taxNo === undefined ? {} : { taxNo: values.taxNo }),
  ...(values.addressPhone === undefined ? {} : { addressPhone: values.addressPhone }),
  ...(values.bankAccount === undefined ? {} : { bankAccount: values.bankAccount }),
  ...(values.email === undefined ? {} : { email: values.email }),
  ...(values.mobile === undefined ? {} : { mobile: values.mobile }),
})

/**
 * Stores a payer's title, each type and title once. Without a mobile the stored one stays: it is missing
 * where the operator may not see it.
 */
export const rememberTitle = (
  tx: Tx,
  scope: Scope,
  payer: InvoicePayer,
  title: Title,
  at: Moment,
): Promise<unknown> =>
  tx.execute(sql`
    insert into invoice_title (
      owner_id, create_by, update_by, payer_kind, payer_id, payer_name, title_type, title, tax_no,
      address_phone, bank_account, email, mobile, last_time, update_time
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId},
      ${payer.id !== undefined && payer.kind ? codeOf(payerSide, payer.kind) : null},
      ${payer.id !== undefined && payer.kind ? payer.id : null}, ${payer.name}, ${codeOf(titleType, title.titleType)},
      ${title.title}, ${title.taxNo ?? null}, ${title.addressPhone ?? null}, ${title.bankAccount ?? null},
      ${title.email ?? null}, ${title.mobile ?? null}, ${at}, ${scope.time}::timestamptz
    )
    on conflict (
      owner_id, coalesce(payer_kind, 0), coalesce(payer_id, 0),
      (case when payer_id is null then payer_name else '' end), title_type, title
    )
    where ${notDeleted()} do update set payer_name = excluded.payer_name, tax_no = excluded.tax_no,
      address_phone = excluded.address_phone, bank_account = excluded.bank_account, email = excluded.email,
      mobile = coalesce(excluded.mobile, invoice_title.mobile), last_time = excluded.last_time,
      version = invoice_title.version + 1, update_time = excluded.update_time
  `)

export const titleHandlers = [
  reads(listTitles, (q, { db, scope }) => findPage(db, invoiceTitle, scope, q, { filters: titleFilters })),
  writes(editTitle, async ({ id, version, ...input }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的抬头')
    const before = await requireById(tx, invoiceTitle, scope, id, { lock: true })
    const d = restoreMasked(invoiceTitle.fields, input, before, scope)
    assertTitleValid(d, 'eNormal')
    return update(tx, invoiceTitle, scope, id, withAllFields(editTitle.input, d), { version })
  }),
  writes(deleteTitles, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, invoiceTitle, scope, ids, reason)
  }),
]
