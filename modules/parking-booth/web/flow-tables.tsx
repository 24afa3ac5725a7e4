import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import type { getFlowStatistics } from '../contract/flow.ts'
import { durationText } from './flow-text.ts'

type Flow = NonNullable<typeof getFlowStatistics.output.T>
type ParkRow = Flow['parks'][number]

interface ParkProps {
  readonly parks: readonly ParkRow[]
  readonly onChoose: (park: ParkRow) => void
}

/** The car parks beside each other; a name narrows the page to it. */
export const ParkTable = ({ parks, onChoose }: ParkProps) => (
  <section>
    <h3>
      停车场 <small>周转次数 = 出场车次 ÷ 车位 ÷ 天数；最高在场按整点</small>
    </h3>
    {parks.length ? (
      <table className="flow-table">
        <thead>
          <tr>
            <th>停车场</th>
            <th>入场</th>
            <th>出场</th>
            <th>平均停留</th>
            <th>最高在场</th>
            <th>车位</th>
            <th>周转次数</th>
          </tr>
        </thead>
        <tbody>
          {parks.map(park => (
            <tr key={park.parkId}>
              <td>
                <button type="button" className="linkish" onClick={() => onChoose(park)}>
                  {park.parkName}
                </button>
              </td>
              <td>{formatCount(park.inCount)}</td>
              <td>{formatCount(park.outCount)}</td>
              <td>{durationText(park.avgMinutes)}</td>
              <td>{formatCount(park.maxInside)}</td>
              <td>{park.places > 0 ? formatCount(park.places) : '—'}</td>
              <td>{park.turnover ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ) : (
      <Empty text="暂无停车场" />
    )}
  </section>
)

interface IncomeProps {
  readonly incomes: Flow['incomes']
  readonly isOfPark: boolean
}

/** What was taken in, by kind and how it was paid. */
export function IncomeTable({ incomes, isOfPark }: IncomeProps) {
  const most = Math.max(1, ...incomes.map(({ amount }) => amount))
  return (
    <section>
      <h3>
        收入 <small>{isOfPark ? '月卡属于项目，选择停车场时不列' : '按收款时间；月卡退款不从中扣减'}</small>
      </h3>
      {incomes.length ? (
        <table className="flow-table">
          <thead>
            <tr>
              <th>类别</th>
              <th>支付方式</th>
              <th>笔数</th>
              <th>金额（元）</th>
              <th aria-label="占比" />
            </tr>
          </thead>
          <tbody>
            {incomes.map(({ kind, payMethod, amount, count }) => (
              <tr key={`${kind}/${payMethod ?? ''}`}>
                <td>{kind}</td>
                <td>{payMethod === undefined ? '见收款记录' : labelOf(parkPayMethod, payMethod)}</td>
                <td>{formatCount(count)}</td>
                <td>{displayYuan(amount)}</td>
                <td className="flow-share">
                  <i style={{ width: `${(amount / most) * 100}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Empty text="该期间暂无收入" />
      )}
    </section>
  )
}
