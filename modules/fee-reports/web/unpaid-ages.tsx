import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { billAge } from '#modules/bills/contract/choices.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { AgeBars } from './bars.tsx'
import { useDrilldown, type Drilldown } from './drilldown.ts'
import { toAgeFilter, unpaidDrilldown } from './drilldowns.ts'
import { paths } from './paths.ts'

const statisticFields = getChargeStatistic.output.fields
const ageOrder = Object.keys(billAge.rows)
const unpaidByAgeDrilldown: Drilldown = {
  path: paths.charge,
  filter: () => ({ by: 'age' }),
}

interface StatisticProps {
  readonly statistic: NonNullable<typeof getChargeStatistic.output.T>
}

/** Why the ages add up to more than the arrears of the month. */
function UnpaidEquation({ statistic: { unpaid, closing, later, outOfRate } }: StatisticProps) {
  if (!unpaid) return null
  const labelFor = (name: keyof typeof statisticFields): string => defined(statisticFields[name]).label
  const parts = [
    `${labelFor('closing')} ${displayYuan(closing)}`,
    ...(later ? [`${labelFor('later')} ${displayYuan(later)}`] : []),
    ...(outOfRate ? [`${labelFor('outOfRate')} ${displayYuan(outOfRate)}`] : []),
  ]
  return (
    <p className="fin-equation">
      {labelFor('unpaid')} {displayYuan(unpaid)} = {parts.join(' + ')}
    </p>
  )
}

/** What is unpaid, by how long it has been due. */
export function UnpaidAges({ statistic }: StatisticProps) {
  const unpaidLink = useDrilldown(unpaidDrilldown)
  const allAgesLink = useDrilldown(unpaidByAgeDrilldown)('', { query: {}, by: '' })
  return (
    <section aria-label="账龄">
      <h2>
        待收账龄 <small>未收本金，元</small>
        {allAgesLink && <Link to={`${allAgesLink}&report=waiting`}>查看明细</Link>}
      </h2>
      <AgeBars
        rows={statistic.ages.map(row => {
          const age = ageOrder.indexOf(row.age)
          return {
            key: row.age,
            label: labelOf(billAge, row.age) ?? '',
            age,
            value: row.sum,
            count: row.count,
            to: unpaidLink('', { query: toAgeFilter(age), by: '' }),
          }
        })}
      />
      <UnpaidEquation statistic={statistic} />
    </section>
  )
}
