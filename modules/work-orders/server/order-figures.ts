import { decimalOf, div, toFixed } from '#kit/domain/decimal.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { orderState } from '../contract/choices.ts'
import type { RatingSums } from './ratings.ts'

/** The counts of a cohort. */
export interface CohortSums {
  readonly created: number
  readonly accepted: number
  readonly respondedInTime: number
  readonly finished: number
  readonly finishedInTime: number
  readonly rework: number
  readonly completed: number
  readonly closed: number
  readonly late: number
  readonly expedited: number
}

export const sumCohort = async (db: Pick<Db, 'one'>, where: RawBuilder<unknown>): Promise<CohortSums> =>
  defined(
    await db.one<CohortSums>(sql`
      select count(*)::int as created,
        count(*) filter (where t.accept_time is not null)::int as accepted,
        count(*) filter (where t.accept_time is not null and not t.resp_overtime)::int as responded_in_time,
        count(*) filter (where t.finish_time is not null)::int as finished,
        count(*) filter (where t.finish_time is not null and not t.finish_overtime)::int as finished_in_time,
        count(*) filter (where t.finish_time is not null and t.rework_count > 0)::int as rework,
        count(*) filter (where t.state = ${code(orderState, 'completed')})::int as completed,
        count(*) filter (where t.state = ${code(orderState, 'closed')})::int as closed,
        count(*) filter (where t.resp_overtime or t.arrive_overtime or t.finish_overtime)::int as late,
        count(*) filter (where t.expedite_count > 0)::int as expedited
      from work_order t
      where ${where}
    `),
  )

interface CohortRatings extends RatingSums {
  /** What lists the orders that they are of. */
  readonly query: string
}

/** STAT-13: two decimals, half up; nothing where there is nothing to divide by. */
const share = (part: number, of: number): string | undefined =>
  of === 0 ? undefined : toFixed(div(decimalOf(part), decimalOf(of), 2), 2)

interface Figure {
  readonly key: string
  readonly label: string
  readonly value?: string | undefined
  readonly unit: string
  readonly help: string
  readonly count: number
  readonly of?: number
  readonly query: string
  readonly outOf?: string
}

type Named = Pick<Figure, 'key' | 'label' | 'help'>

/** How many, and the filter that lists them beside that of the cohort. */
type Part = readonly [count: number, filter: string]

/** The figures of STAT-10, each with what lists its orders. */
export function figuresOf(sums: CohortSums, ratings: CohortRatings, query: string): Figure[] {
  const withFilter = (filter: string): string => [query, filter].filter(Boolean).join('&')
  const count = (named: Named, [amount, filter]: Part): Figure => ({
    ...named,
    value: decimalOf(amount),
    unit: '张',
    count: amount,
    query: withFilter(filter),
  })
  const rate = (named: Named, [amount, filter]: Part, [of, ofFilter]: Part): Figure => ({
    ...named,
    value: share(amount * 100, of),
    unit: '%',
    count: amount,
    of,
    query: withFilter(filter),
    outOf: withFilter(ofFilter),
  })
  const accepted: Part = [sums.accepted, 'isAccepted=1']
  const finished: Part = [sums.finished, 'isFinished=1']
  return [
    count(figureNames.created, [sums.created, '']),
    rate(figureNames.responseRate, [sums.respondedInTime, 'isAccepted=1&respOvertime=0'], accepted),
    rate(figureNames.finishRate, [sums.finishedInTime, 'isFinished=1&finishOvertime=0'], finished),
    rate(figureNames.reworkRate, [sums.rework, 'isFinished=1&reworkCountFrom=1'], finished),
    {
      ...figureNames.satisfaction,
      value: share(ratings.scoreSum, ratings.count),
      unit: '分',
      count: ratings.orders,
      query: ratings.query,
    },
    rate(figureNames.closeRate, [sums.completed, 'state=completed'], [sums.created, '']),
    count(figureNames.late, [sums.late, 'isLate=1']),
    count(figureNames.expedited, [sums.expedited, 'expediteCountFrom=1']),
    count(figureNames.closed, [sums.closed, 'state=closed']),
  ]
}

const figureNames = {
  created: { key: 'created', label: '工单数', help: '期间内登记的工单' },
  responseRate: { key: 'responseRate', label: '及时响应率', help: '时限内接单 ÷ 已接单' },
  finishRate: { key: 'finishRate', label: '及时完成率', help: '时限内完成 ÷ 已处理完成' },
  reworkRate: { key: 'reworkRate', label: '返修率', help: '有返修 ÷ 已处理完成' },
  satisfaction: {
    key: 'satisfaction',
    label: '满意度',
    help: '实际评价的平均分，含重新处理之前的评价，不含系统默认评价',
  },
  closeRate: { key: 'closeRate', label: '关闭率', help: '已完成 ÷ 登记' },
  late: { key: 'late', label: '超时工单', help: '任一阶段超时' },
  expedited: { key: 'expedited', label: '被催办工单', help: '至少催办一次' },
  closed: { key: 'closed', label: '未完成关闭', help: '未处理完成即关闭' },
} as const
