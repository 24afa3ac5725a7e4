import { buffer } from 'node:stream/consumers'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { maxFen, type Fen } from '#kit/domain/money.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { createPdf, openPdf, type PdfDocument } from '#kit/server/pdf.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, findAll } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { feeNotice, type FeeNotice } from '../contract/notice.ts'
import { printPaymentNotices, printDemandLetters } from '../contract/reminder.ts'
import { lateUnpaid, unpaidPrincipal } from '../domain/bill.ts'
import { overdueDays } from '../domain/late-fee.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { letterOpening, partText } from '../domain/demand-letter.ts'
import { reminderLevelOf } from '../domain/reminder.ts'
import { billQuery } from './bill-query.ts'
import { computeLateFees } from './late-fee.ts'
import { findOtherDebts } from './other-debts.ts'
import { toBill } from './stored-bill.ts'
import { findReminderRules } from './reminder-settings.ts'
import { drawLetter, type DemandLetter, type LetterLine } from './demand-letter-pdf.ts'

interface LetterEstate {
  readonly name: string
  readonly phone?: string
}

async function findLetterHeads(
  db: Db,
  ownerId: Id,
): Promise<{ readonly company: string; readonly estate: (code: string) => LetterEstate }> {
  const [owningCompany, list] = [
    await db.one<{ name: string }>(
      sql`select company_name as name from property where owner_id = ${ownerId} and ${notDeleted()}`,
    ),
    await db.rows<{ code: string; name: string; phone?: string }>(
      sql`
        select project_code as code, name, service_phone as phone
        from estate
        where owner_id = ${ownerId} and ${notDeleted()}
      `,
    ),
  ]
  const estateByCode = new Map(list.map(e => [e.code, e]))
  return { company: owningCompany?.name ?? '', estate: code => estateByCode.get(code) ?? { name: code } }
}

const compareDueDates = (a: Bill, b: Bill): number => {
  if (a.dueDate !== b.dueDate) return a.dueDate < b.dueDate ? -1 : 1
  return a.id - b.id
}

/** The lines of a letter by due date; with several objects each line names its own. */
const toLetterLines = (list: readonly Bill[], late: ReadonlyMap<Id, Fen>, today: Day): LetterLine[] =>
  [...list].toSorted(compareDueDates).map(row => {
    const first = { ...toBill(row), lateDue: late.get(row.id) ?? row.lateFeeDue }
    return {
      item: list.some(x => x.sourceName !== row.sourceName)
        ? `${row.sourceName} ${row.feeItemName}`
        : row.feeItemName,
      period: formatPeriod(row.beginDate, row.endDate),
      due: row.dueDate,
      days: overdueDays(row.dueDate, today),
      principal: unpaidPrincipal(first),
      late: maxFen(0, lateUnpaid(first)),
    }
  })

const closing = '违约金按合同约定计算至制函之日，实际以缴费当日为准。如已缴纳，请忽略本函并与我们核对。'

/** Reminders before this letter, which is one of them itself once it was printed. */
const countEarlierReminders = (list: readonly Bill[], { state }: FeeNotice): number =>
  Math.max(0, Math.max(...list.map(b => b.urgeCount)) - (state === 'sent' ? 1 : 0))

const maxBills = 2000

interface Delivery {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly sourceName: string
}

const deliveryKey = (x: Delivery): string =>
  [x.projectCode, naturalSortKey(x.buildCode ?? ''), naturalSortKey(x.sourceName)].join('\n')

/** By project, building and room: the order in which letters are delivered. */
const compareDeliveries = (a: Delivery, b: Delivery): number =>
  deliveryKey(a) < deliveryKey(b) ? -1 : deliveryKey(a) > deliveryKey(b) ? 1 : 0

/** Groups bills by object and payer, in the order of delivery. */
const groupByHome = (list: readonly Bill[]): Bill[][] =>
  [
    ...Map.groupBy(
      list,
      b => `${b.projectCode}\n${b.sourceType}\n${b.sourceCode}\n${b.payerKind ?? ''}${b.payerId ?? ''}`,
    ).values(),
  ].toSorted((a, b) => compareDeliveries(defined(a[0]), defined(b[0])))

const drawLetters = (paper: PdfDocument, letters: readonly DemandLetter[]): void =>
  letters.forEach((letter, i) => {
    if (i) {
      paper.addPage()
    }
    drawLetter(paper, letter)
  })

async function printLetterFile(
  app: Pick<App, 'database'>,
  scope: Scope,
  what: string,
  letters: readonly DemandLetter[],
  today: Day,
) {
  await app.database.tx(scope.ownerId, tx =>
    audit(tx, scope, [
      {
        action: 'export',
        entity: bill.name,
        entityId: 0,
        projectCode: scope.projectCode || undefined,
        after: { printed: what, letters: letters.length },
      },
    ]),
  )
  return createPdf({ name: `${what}_${today.replaceAll('-', '')}.pdf`, title: what, inline: true }, p =>
    drawLetters(p, letters),
  )
}

export interface NoticeLetter {
  readonly noticeId: Id
  readonly letter: DemandLetter
}

/** The letters of notices about those of their bills that are open and `isListed`; none where none is. */
export async function findNoticeLetters(
  db: Db,
  scope: Scope,
  notices: readonly FeeNotice[],
  today: Day,
  isListed: (b: Bill) => boolean = () => true,
): Promise<NoticeLetter[]> {
  const list = await findByIds(
    db,
    bill,
    scope,
    notices.flatMap(n => n.billIds),
  )
  const billById = new Map(list.map(b => [b.id, b]))
  const late = await computeLateFees(db, scope.ownerId, list, today)
  const head = await findLetterHeads(db, scope.ownerId)
  const rules = await findReminderRules(
    db,
    scope.ownerId,
    notices.map(n => n.projectCode),
  )
  const openBillsOf = (n: FeeNotice): readonly Bill[] =>
    n.billIds
      .flatMap(id => billById.get(parseId(id)) ?? [])
      .filter(b => b.state === 'normal' && b.payState === 'unpaid' && isListed(b))
  const others = await findOtherDebts(db, scope, notices.map(openBillsOf), today)
  return notices.flatMap((notice, i): NoticeLetter[] => {
    const openBills = openBillsOf(notice)
    if (!openBills.length) return []
    const at = head.estate(notice.projectCode)
    // The wording follows the day of printing: what was overdue may be paid by now, what was not yet due
    // may be overdue (URG-3).
    const level = openBills.some(b => b.dueDate < today)
      ? Math.max(1, ...openBills.map(b => reminderLevelOf(b.dueDate, today, rules.get(notice.projectCode))))
      : 0
    const letter = {
      title: notice.channel === 'lawyer' ? '律师函' : level === 0 ? '缴费通知单' : '催缴函',
      estate: at.name,
      phone: at.phone,
      company: head.company,
      object: notice.sourceName,
      payer: notice.payerName ?? '住户',
      lines: toLetterLines(openBills, late, today),
      opening: letterOpening(level, {
        count: openBills.length,
        overdue: openBills.filter(b => b.dueDate < today).length,
        reminders: countEarlierReminders(openBills, notice),
      }),
      closing: `${partText('本函', others[i])}${closing}`,
      no: `CJ${String(notice.id).padStart(8, '0')}`,
      day: today,
    }
    return [{ noticeId: notice.id, letter }]
  })
}

/** A letter as the file that is printed of it. */
export function renderLetter(letter: DemandLetter): Promise<Buffer> {
  const { paper } = openPdf({ name: `${letter.title}.pdf`, title: letter.title })
  drawLetters(paper, [letter])
  paper.end()
  return buffer(paper)
}

export const demandLetterHandlers = [
  reads(printDemandLetters, async ({ ids }, { db, scope, today, app }) => {
    const notices = await findByIds(db, feeNotice, scope, ids)
    if (!notices.length) return refuse('请选择要打印的催缴')
    const found = await findNoticeLetters(db, scope, notices.toSorted(compareDeliveries), today)
    if (!found.length) return refuse('所选催缴的账单都已缴清或作废，不需要打印')
    const letters = found.map(({ letter }) => letter)
    return printLetterFile(app, scope, '催缴函', letters, today)
  }),
  reads(printPaymentNotices, async ({ ids, ...filter }, { db, scope, today, now, app }) => {
    const query = billQuery(scope.ownerId, { ...filter, state: ['normal'], payState: ['unpaid'] }, today, now)
    const list = ids?.length
      ? (await findByIds(db, bill, scope, ids)).filter(b => b.state === 'normal' && b.payState === 'unpaid')
      : await findAll(db, bill, scope, query.q, { ...query.find, limit: maxBills + 1 })
    if (!list.length) return refuse('所选范围暂无待缴账单，请调整筛选条件')
    if (list.length > maxBills) return refuse(`一次最多打印 ${maxBills} 张账单，请缩小筛选范围`)
    const late = await computeLateFees(db, scope.ownerId, list, today)
    const head = await findLetterHeads(db, scope.ownerId)
    const homes = groupByHome(list)
    const others = await findOtherDebts(db, scope, homes, today)
    const letters = homes.map((homeBills, i): DemandLetter => {
      const first = defined(homeBills[0])
      const at = head.estate(first.projectCode)
      const overdue = homeBills.some(x => x.dueDate < today)
      return {
        title: '缴费通知单',
        estate: at.name,
        phone: at.phone,
        company: head.company,
        object: first.sourceName,
        payer: first.payerName ?? '住户',
        lines: toLetterLines(homeBills, late, today),
        opening: overdue ? '以下费用待缴，部分已逾期，请尽快缴纳。' : '以下费用待缴，请在应缴日前缴纳。',
        closing: `${partText('本单', others[i])}违约金计算至制单之日，实际以缴费当日为准。如已缴纳请忽略。`,
        no: first.billNo,
        day: today,
      }
    })
    return printLetterFile(app, scope, '缴费通知单', letters, today)
  }),
]
