import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, toChineseCapitals, type Fen } from '#kit/domain/money.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { fitText, createPdf, type PdfDocument } from '#kit/server/pdf.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, findAll } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { feeNotice } from '../contract/notice.ts'
import { printPaymentNotices, printDemandLetters } from '../contract/reminder.ts'
import { lateUnpaid, unpaidPrincipal } from '../domain/bill.ts'
import { overdueDays } from '../domain/late-fee.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { reminderLevelOf } from '../domain/reminder.ts'
import { billQuery } from './bill-query.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { findReminderRules } from './reminder-settings.ts'

interface LetterLine {
  readonly item: string
  readonly period: string
  readonly due: Day
  readonly days: number
  readonly principal: Fen
  readonly late: Fen
}

export interface DemandLetter {
  readonly title: string
  readonly estate: string
  readonly phone?: string | undefined
  readonly company: string
  readonly object: string
  readonly payer: string
  readonly lines: readonly LetterLine[]
  readonly opening: string
  readonly closing: string
  readonly no: string
  readonly day: Day
}

const leftEdge = 56
const rightEdge = 539
const contentWidth = rightEdge - leftEdge

const listColumns = [
  { title: '收费项目', x: 0, w: 96 },
  { title: '账期', x: 96, w: 126 },
  { title: '应缴日', x: 222, w: 64 },
  { title: '逾期', x: 286, w: 44, end: true },
  { title: '本金', x: 330, w: 76, end: true },
  { title: '违约金', x: 406, w: 77, end: true },
] as const

/** Nothing in it is cut: a long name takes a second line. Its heads stand again on each page. */
function drawTable(p: PdfDocument, letter: DemandLetter): void {
  const row = (cells: readonly string[], weight: 'plain' | 'bold'): void => {
    p.font(weight).fontSize(10).fillColor('#000')
    const tall = Math.max(...listColumns.map((c, i) => p.heightOfString(cells[i]!, { width: c.w - 6 }))) + 8
    const y = p.y
    listColumns.forEach((c, i) =>
      p.text(cells[i]!, leftEdge + c.x + 3, y + 5, { width: c.w - 6, align: 'end' in c ? 'right' : 'left' }),
    )
    p.lineWidth(0.5)
      .moveTo(leftEdge, y + tall)
      .lineTo(rightEdge, y + tall)
      .stroke('#999')
    p.y = y + tall
  }
  const heads = (): void => {
    p.lineWidth(0.8).moveTo(leftEdge, p.y).lineTo(rightEdge, p.y).stroke('#000')
    row(
      listColumns.map(c => c.title),
      'bold',
    )
  }
  heads()
  for (const l of letter.lines) {
    if (p.y > 720) {
      p.addPage()
      heads()
    }
    row(
      [
        l.item,
        l.period,
        l.due,
        l.days ? `${l.days} 天` : '--',
        formatYuan(l.principal, { thousands: true }),
        l.late ? formatYuan(l.late, { thousands: true }) : '--',
      ],
      'plain',
    )
  }
}

/** One letter on its own page: whom, for what, how much in figures and capitals, until when, who writes. */
function drawLetter(p: PdfDocument, letter: DemandLetter): void {
  const total = letter.lines.reduce((n, l) => n + l.principal + l.late, 0)
  p.font('plain')
    .fontSize(9)
    .fillColor('#555')
    .text(fitText(p.font('plain').fontSize(9), letter.estate, contentWidth / 2 - 6), leftEdge, 48, {
      width: contentWidth / 2,
      lineBreak: false,
    })
    .text(`编号 ${letter.no}`, leftEdge + contentWidth / 2, 48, {
      width: contentWidth / 2,
      align: 'right',
      lineBreak: false,
    })
  p.font('bold')
    .fontSize(20)
    .fillColor('#000')
    .text(letter.title, leftEdge, 76, { width: contentWidth, align: 'center' })
  p.font('plain')
    .fontSize(11)
    .text(`${letter.object}  ${letter.payer}：`, leftEdge, 122, { width: contentWidth })
  p.moveDown(0.5).text(letter.opening, leftEdge, p.y, { width: contentWidth, indent: 22, lineGap: 4 })
  p.y += 10
  drawTable(p, letter)
  p.font('bold')
    .fontSize(11)
    .text(
      `合计 ${formatYuan(total, { thousands: true })} 元（大写：${toChineseCapitals(total)}）`,
      leftEdge,
      p.y + 10,
      {
        width: contentWidth,
      },
    )
  p.font('plain')
    .fontSize(11)
    .text(letter.closing, leftEdge, p.y + 12, { width: contentWidth, indent: 22, lineGap: 4 })
  if (p.y > 700) {
    p.addPage()
  }
  p.y += 28
  for (const line of [letter.company, ...(letter.phone ? [`服务电话 ${letter.phone}`] : []), letter.day]) {
    p.text(line, leftEdge, p.y, { width: contentWidth, align: 'right' })
  }
}

interface LetterEstate {
  readonly name: string
  readonly phone?: string
}

async function findLetterHeads(
  db: Db,
  owner: number,
): Promise<{ readonly company: string; readonly estate: (code: string) => LetterEstate }> {
  const [firm, list] = [
    await db.one<{ name: string }>(
      sql`select company_name as name from property where owner_id = ${owner} and ${live()}`,
    ),
    await db.rows<{ code: string; name: string; phone?: string }>(
      sql`
        select project_code as code, name, service_phone as phone
        from estate
        where owner_id = ${owner} and ${live()}
      `,
    ),
  ]
  const billById = new Map(list.map(e => [e.code, e]))
  return { company: firm?.name ?? '', estate: code => billById.get(code) ?? { name: code } }
}

/** Over several objects each line says whose it is. */
const toLetterLines = (list: readonly Bill[], late: ReadonlyMap<number, Fen>, today: Day): LetterLine[] =>
  [...list]
    .sort((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : a.id - b.id))
    .map(r => {
      const b = { ...toBill(r), lateDue: late.get(r.id) ?? r.lateFeeDue }
      return {
        item: list.some(x => x.sourceName !== r.sourceName)
          ? `${r.sourceName} ${r.feeItemName}`
          : r.feeItemName,
        period: formatPeriod(r.beginDate, r.endDate),
        due: r.dueDate,
        days: overdueDays(r.dueDate, today),
        principal: unpaidPrincipal(b),
        late: Math.max(0, lateUnpaid(b)),
      }
    })

const openings = [
  '根据物业服务合同，以下费用即将到期，请在应缴日前缴纳。',
  '经查，以下费用已过应缴日，可能因您疏忽而未缴纳，请于收到本函之日起 7 日内缴清。',
  '您有以下费用逾期未缴，我们已多次提醒，请于收到本函之日起 7 日内缴清。',
  '您有以下费用长期逾期未缴，请于收到本函之日起 7 日内缴清；有异议的，请在期限内书面提出并说明理由。',
  '您有以下费用长期拖欠，请于收到本函之日起 7 日内缴清；逾期仍未缴纳的，我们将依照合同约定和法律规定主张权利。',
]

const closing = '违约金按合同约定计算至制函之日，实际以缴费当日为准。如已缴纳，请忽略本函并与我们核对。'
const maxBills = 2000

interface Delivery {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly sourceName: string
}

const deliveryKey = (x: Delivery): string =>
  [x.projectCode, naturalSortKey(x.buildCode ?? ''), naturalSortKey(x.sourceName)].join('\n')

/** By estate, building and room, as whoever carries the letters round walks. */
const compareDeliveries = (a: Delivery, b: Delivery): number =>
  deliveryKey(a) < deliveryKey(b) ? -1 : deliveryKey(a) > deliveryKey(b) ? 1 : 0

/** Open bills of one object and payer each. */
const groupByHome = (list: readonly Bill[]): Bill[][] =>
  [
    ...Map.groupBy(
      list,
      b => `${b.projectCode}\n${b.sourceType}\n${b.sourceCode}\n${b.payerKind ?? ''}${b.payerId ?? ''}`,
    ).values(),
  ].sort((a, b) => compareDeliveries(a[0]!, b[0]!))

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
    letters.forEach((l, i) => {
      if (i) {
        p.addPage()
      }
      drawLetter(p, l)
    }),
  )
}

export const demandLetterHandlers = [
  reads(printDemandLetters, async ({ ids }, { db, scope, today, app }) => {
    const notices = await findByIds(db, feeNotice, scope, ids)
    if (!notices.length) return refuse('请选择要打印的催缴')
    const list = await findByIds(
      db,
      bill,
      scope,
      notices.flatMap(n => n.billIds),
    )
    const billById = new Map(list.map(b => [b.id, b]))
    const late = await computeLateFees(db, scope.ownerId, list, today)
    const head = await findLetterHeads(db, scope.ownerId)
    const sorted = [...notices].sort(compareDeliveries)
    const rules = await findReminderRules(
      db,
      scope.ownerId,
      notices.map(n => n.projectCode),
    )
    const letters = sorted.flatMap((n): DemandLetter[] => {
      const mine = n.billIds
        .flatMap(id => billById.get(Number(id)) ?? [])
        .filter(b => b.state === 'normal' && b.payState === 'unpaid')
      const at = head.estate(n.projectCode)
      // In the words of the day on which it is printed: what was overdue then may be paid, what was not yet
      // due may be overdue (URG-3).
      const level = mine.some(b => b.dueDate < today)
        ? Math.max(1, ...mine.map(b => reminderLevelOf(b.dueDate, today, rules.get(n.projectCode)!)))
        : 0
      return mine.length
        ? [
            {
              title: n.channel === 'lawyer' ? '律师函' : level === 0 ? '缴费通知单' : '催缴函',
              estate: at.name,
              phone: at.phone,
              company: head.company,
              object: n.sourceName,
              payer: n.payerName ?? '住户',
              lines: toLetterLines(mine, late, today),
              opening: openings[level]!,
              closing,
              no: `CJ${String(n.id).padStart(8, '0')}`,
              day: today,
            },
          ]
        : []
    })
    if (!letters.length) return refuse('所选催缴的账单都已缴清或作废，不需要打印')
    return printLetterFile(app, scope, '催缴函', letters, today)
  }),
  reads(printPaymentNotices, async ({ ids, ...q }, { db, scope, today, now, app }) => {
    const query = billQuery(scope.ownerId, { ...q, state: ['normal'], payState: ['unpaid'] }, today, now)
    const list = ids?.length
      ? (await findByIds(db, bill, scope, ids)).filter(b => b.state === 'normal' && b.payState === 'unpaid')
      : await findAll(db, bill, scope, query.q, { ...query.find, limit: maxBills + 1 })
    if (!list.length) return refuse('没有待缴的账单可以打印，请调整筛选条件')
    if (list.length > maxBills) return refuse(`一次最多打印 ${maxBills} 张账单，请缩小筛选范围`)
    const late = await computeLateFees(db, scope.ownerId, list, today)
    const head = await findLetterHeads(db, scope.ownerId)
    const letters = groupByHome(list).map((mine): DemandLetter => {
      const b = mine[0]!
      const at = head.estate(b.projectCode)
      const overdue = mine.some(x => x.dueDate < today)
      return {
        title: '缴费通知单',
        estate: at.name,
        phone: at.phone,
        company: head.company,
        object: b.sourceName,
        payer: b.payerName ?? '住户',
        lines: toLetterLines(mine, late, today),
        opening: overdue
          ? '以下费用待缴，其中有的已过应缴日，请尽快缴纳。'
          : '以下费用待缴，请在应缴日前缴纳。',
        closing: '违约金计算至制单之日，实际以缴费当日为准。如已缴纳请忽略。',
        no: b.billNo,
        day: today,
      }
    })
    return printLetterFile(app, scope, '缴费通知单', letters, today)
  }),
]
