import { keyOf, labelOf } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { defined } from '#kit/domain/defined.ts'
import { type Day } from '#kit/domain/day.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { rowsExportHandlers } from '#kit/server/rows-export.ts'
import type { Scope } from '#kit/server/scope.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { chargeType, parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { exportFlowDays, getFlowStatistics, listFlowDays } from '../contract/flow.ts'
import {
  averageMinutes,
  dayFigures,
  hourFigures,
  hourOfDay,
  parkFigures,
  type HourCount,
} from '../domain/flow-figures.ts'
import {
  findFlowParks,
  periodOf,
  readDayIncome,
  readFlow,
  readIncome,
  readMonthIncome,
  readWaived,
  type FlowInput,
  type IncomeRow,
} from './flow-query.ts'

type FlowDay = NonNullable<typeof listFlowDays.output.T>['rows'][number]
type DaysInput = NonNullable<typeof listFlowDays.input.T>

const hourNow = (now: Moment): number => hourOfDay(dayOfMoment(now)) + Number(now.slice(11, 13))

const sumOf = (
  counts: readonly HourCount[],
  key: 'inCount' | 'outCount' | 'minutes' | 'timedCount',
): number => counts.reduce((sum, count) => sum + count[key], 0)

const incomeOf = ({ chargeType: type, payMethod, amount, count }: IncomeRow) => ({
  kind: labelOf(chargeType, defined(keyOf(chargeType, type))),
  payMethod: defined(keyOf(parkPayMethod, payMethod)),
  amount,
  count,
})

async function statistics(input: FlowInput, db: Db, scope: Scope, today: Day, now: Moment) {
  const period = periodOf(input, today)
  const parks = await findFlowParks(db, scope, input)
  const [{ parks: flowParks, counts }, charged, waived, months] = await Promise.all([
    readFlow(db, scope, parks, period),
    readIncome(db, scope, parks, period),
    readWaived(db, scope, parks, period),
    input.parkId === undefined ? readMonthIncome(db, scope, input, period) : undefined,
  ])
  const span = { ...period, now: hourNow(now) }
  const incomes = [
    ...charged.map(incomeOf),
    ...(months?.count ? [{ kind: labelOf(chargeType, 'month'), ...months }] : []),
  ]
  return {
    dayFrom: period.from,
    dayTo: period.to,
    inCount: sumOf(counts, 'inCount'),
    outCount: sumOf(counts, 'outCount'),
    avgMinutes: averageMinutes({
      minutes: sumOf(counts, 'minutes'),
      timedCount: sumOf(counts, 'timedCount'),
    }),
    income: sumFen(incomes.map(row => row.amount)),
    ...waived,
    hours: hourFigures(flowParks, counts, span),
    parks: parkFigures(flowParks, counts, span),
    incomes,
  }
}

interface Asked {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
}

async function flowDays(input: FlowInput, { db, scope, today, now }: Asked): Promise<FlowDay[]> {
  const period = periodOf(input, today)
  const parks = await findFlowParks(db, scope, input)
  const [{ parks: flowParks, counts }, incomes] = await Promise.all([
    readFlow(db, scope, parks, period),
    readDayIncome(db, scope, parks, period),
  ])
  const amounts = new Map<string, Fen>(incomes.map(row => [`${row.day}/${row.parkId}`, row.amount]))
  return dayFigures(flowParks, counts, { ...period, now: hourNow(now) }).map(line => ({
    ...line,
    income: amounts.get(`${line.day}/${line.parkId}`) ?? 0,
  }))
}

const pageSize = 20

const flowExport = rowsExportHandlers<DaysInput, FlowDay>({
  kind: 'parking-booth.flow',
  name: '停车日报',
  calls: exportFlowDays,
  columns: sheetColumns(listFlowDays.output.fields, [
    'day',
    'parkName',
    'inCount',
    'outCount',
    'avgMinutes',
    'maxInside',
    'places',
    'turnover',
    'income',
  ]),
  entity: parkingStay.name,
  keyOf: row => `${row.day}/${row.parkId}`,
  load: async (input, environment, limit) => {
    const rows = await flowDays(input, environment)
    return { total: rows.length, rows: rows.slice(0, limit) }
  },
})

export const flowServer = { jobs: [flowExport.job] }

export const flowHandlers = [
  reads(getFlowStatistics, (input, { db, scope, today, now }) => statistics(input, db, scope, today, now)),
  reads(listFlowDays, async ({ page = 1, size = pageSize, ...input }, c) => {
    const rows = await flowDays(input, c)
    return {
      total: rows.length,
      rows: rows.slice((page - 1) * size, page * size),
      sum: {
        inCount: rows.reduce((sum, row) => sum + row.inCount, 0),
        outCount: rows.reduce((sum, row) => sum + row.outCount, 0),
        income: sumFen(rows.map(row => row.income)),
      },
    }
  }),
  ...flowExport.handlers,
]
