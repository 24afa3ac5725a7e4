import { afterAll, beforeAll, expect, it } from 'vitest'
import { readXlsx, type Sheet } from 'hucre/xlsx'
import { pathOf, type Call } from '#kit/contract/call.ts'
import type { Field, Fields, FieldKind } from '#kit/contract/field.ts'
import { headingOf } from '#kit/contract/sheet.ts'
import { addDays } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { openTestApp, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { downloadCompanyExport } from '#modules/accounts/contract/company-export.ts'
import { exportPerson } from '#modules/personal-data/contract/person.ts'
import { exportPermissionReport } from '#modules/accounts/contract/role.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { openDemoDatabase, type DemoDatabase } from './demo.fixtures.ts'

/** Every sheet that the contract exports, asked of the demo: what stands in each of its cells. */
const installed = await loadInstalledModules()
const calls: readonly Call[] = installed.flatMap(m => [...m.contract.calls])
const exports = calls.filter(
  c =>
    c.route.startsWith('GET') &&
    c.output.form === 'blob' &&
    /export/i.test(pathOf(c)) &&
    c !== downloadCompanyExport &&
    c !== exportPerson,
)
const exportsOf = (call: Call): (string | undefined)[] =>
  Object.keys(call.input.fields.by?.choices?.rows ?? { '': 1 }).map(by => by || undefined)
const cases = exports
  .filter(call => !/Print|PDF|ExportCPCode/.test(call.route))
  .flatMap(call => exportsOf(call).map(by => ({ call, by, title: `${call.title} ${by ?? ''}` })))

let database: DemoDatabase
let t: TestApp
let me: CallOptions
/** Projects of the demo, the smallest first; where all have too many rows, some of them. */
const narrowings = [
  { projectCode: 'YQSY0001' },
  { projectCode: 'QYXY0001' },
  { projectCode: 'BJGJ0001' },
  { projectCode: 'JXHY0001' },
  {},
  { keyword: '101' },
  { noticeId: 1, receipt: ['read'] },
]

beforeAll(async () => {
  database = await openDemoDatabase()
  t = await openTestApp(database.url, installed, createCallerLoader, { dataDir: database.dataDir })
  t.advanceClock(Date.now() - t.app.clock())
  me = { token: (await t.call(login, { loginCode: 'demo', password: 'Anju2026' })).token }
}, 300_000)

afterAll(async () => {
  await t?.close()
  await database?.drop()
})

const today = dayOfInstant(Date.now())
const thisMonth = monthOf(today)

/** The first of the demo's projects that has rows, and not too many for a file at once. */
async function exportSheet(call: Call, by: string | undefined, more: object = {}): Promise<Sheet> {
  const month = { fromMonth: shiftMonth(thisMonth, -11), toMonth: thisMonth }
  const days = { from: addDays(today, -30), to: today }
  const fixedInput = {
    ...more,
    ...(call.input.fields.fromMonth ? month : {}),
    ...(call.input.fields.from?.required ? days : {}),
    ...(call.input.fields.month?.required ? { month: thisMonth } : {}),
    ...(by ? { by } : {}),
  }
  let refusal: unknown
  for (const narrowing of narrowings) {
    const kept = Object.entries(narrowing).filter(([key]) => call.input.fields[key])
    const input = { ...fixedInput, ...Object.fromEntries(kept) }
    try {
      const answer: unknown = await t.call(call, input, me)
      const file = typeof answer === 'object' && answer !== null ? await readBody(answer) : Buffer.alloc(0)
      return defined((await readXlsx(file, { readStyles: true })).sheets[0])
    } catch (e) {
      refusal = e
    }
  }
  throw refusal
}

/** Figures that a text hides from Excel. */
const hidden: Readonly<Record<string, RegExp>> = {
  'a day': /^\d{4}[-/]\d{1,2}[-/]\d{1,2}([ T]|$)/,
  'a month': /^\d{4}-\d{2}$/,
  'a share': /^-?[\d,.]+ ?%$/,
  'an amount': /^-?[\d,]+\.\d{2}$/,
}

/** The kinds under which the contract declares a heading, where they are all the same one. */
function kindsByHeading(): ReadonlyMap<string, FieldKind> {
  const kinds = new Map<string, Set<FieldKind>>()
  const fieldsOf = (fields: Fields): void => {
    for (const field of Object.values(fields)) {
      kinds.set(headingOf(field), (kinds.get(headingOf(field)) ?? new Set()).add(field.kind))
    }
  }
  for (const call of calls) {
    fieldsOf(call.output.fields)
  }
  return new Map(
    [...kinds].flatMap(([heading, set]) => (set.size === 1 ? [[heading, defined([...set][0])]] : [])),
  )
}

const kinds = kindsByHeading()

function wrongFormat(heading: string, format: string): string | undefined {
  if (heading.endsWith('率') && !/[倍费]率$/.test(heading) && !format.includes('%')) return 'is no percentage'
  if ((heading.endsWith('（㎡）') || kinds.get(heading) === 'money') && format !== '#,##0.00')
    return 'has no thousands and two decimals'
  return undefined
}

/** What is wrong with the cells of a sheet, by column. */
function faultsOf({ rows, cells }: Sheet, headings: readonly string[], headingRow: number): string[] {
  const faults = new Set<string>()
  for (let row = headingRow + 1; row < rows.length; row++) {
    headings.forEach((heading, column) => {
      const cell = cells?.get(`${row},${column}`)
      if (cell?.type === 'string') {
        const text = String(cell.value)
        const kind = Object.keys(hidden).find(k => hidden[k]?.test(text))
        if (kind) {
          faults.add(`${heading}: ${text} is ${kind} as text`)
        }
      } else if (cell?.type === 'number') {
        const fault = wrongFormat(heading, cell.style?.numFmt ?? '')
        if (fault) {
          faults.add(`${heading}: ${String(cell.value)} ${fault}`)
        }
      }
    })
  }
  return [...faults]
}

it('adds up no tons and kilowatt-hours: each kind of meter has a total of its own', async () => {
  const detail = defined(exports.find(call => call.title === '导出抄表报表明细'))
  const { rows } = await exportSheet(detail, undefined)
  const kindColumn = defined(rows[2]).indexOf('表类型')
  const shownKinds = new Set(rows.slice(3, -1).map(row => String(row[kindColumn])))
  expect(shownKinds.size).toBeGreaterThan(1)
  const totals = defined(rows.at(-1))
  expect(totals.slice(0, 2)).toEqual(['合计', `共 ${(rows.length - 4).toLocaleString('en-US')} 条`])
  for (const kind of shownKinds) {
    expect(String(totals[defined(rows[2]).indexOf('用量')])).toMatch(new RegExp(`${kind} \\d`))
  }
})

it.each(cases)(
  'EXP-4: $title has days, shares and amounts as such under a head with names',
  async ({ call, by }) => {
    const sheet = await exportSheet(call, by)
    const headingRow = 2
    const headings = defined(sheet.rows[headingRow]).map(String)
    expect(faultsOf(sheet, headings, headingRow)).toEqual([])
    expect(headings.filter(heading => heading.startsWith('*'))).toEqual([])
    const [title, about] = sheet.rows.slice(0, 2).map(row => String(row[0]))
    expect(title).toMatch(/[一-龥]/)
    expect(about).toMatch(/^筛选条件：.* {4}制表时间：\d{4}-\d{2}-\d{2} \d{2}:\d{2} {4}制表人：演示管理员$/)
    expect(about).not.toMatch(/[A-Z]{4}0001/)
    if (call.input.fields.projectCode) {
      expect(about).toMatch(/项目：[一-龥]+/)
    }
    expect(sheet.pageSetup).toMatchObject({ orientation: 'landscape', fitToWidth: 1, fitToHeight: 0 })
    expect(sheet.pageSetup?.printTitlesRow).toBe('$3:$3')
    // Its rows say who may do what: nothing is counted there.
    if (call !== exportPermissionReport) {
      expect(defined(sheet.rows.at(-1)).find(Boolean)).toBe('合计')
    }
  },
  60_000,
)

/** The list that an export was declared of: it asks the very same fields, and the export no others. */
const listOf = (call: Call): Call | undefined =>
  calls.find(({ output, input: { fields } }) => {
    const own = Object.keys(call.input.fields).filter(key => !['columns', 'ids', 'expected'].includes(key))
    const asked = Object.keys(fields).filter(key => !['page', 'size', 'ids'].includes(key))
    return (
      output.form === 'page' &&
      own.some(key => key !== 'keyword') &&
      asked.length === own.length &&
      asked.every(key => call.input.fields[key] === fields[key])
    )
  })

/** The columns that a list may show, as its dialog names them. */
const shownColumns = (list: Call): string[] =>
  Object.entries(list.output.fields).flatMap(([key, field]) =>
    (field as Field).hiddenIn?.includes('table') || ['id', 'lines', 'part'].includes(field.kind) ? [] : [key],
  )

it.each(
  cases.flatMap(each => {
    const list = each.call.input.fields.columns && listOf(each.call)
    return list ? [{ ...each, columns: shownColumns(list) }] : []
  }),
)(
  'EXP-1: $title takes every column of its list',
  async ({ call, by, columns }) => {
    const sheet = await exportSheet(call, by, { columns })
    expect(sheet.rows.length).toBeGreaterThan(2)
  },
  60_000,
)
