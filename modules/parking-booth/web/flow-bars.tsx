import { cssVariables } from '#kit/web/css-variables.ts'
import type { getFlowStatistics } from '../contract/flow.ts'

type Hour = NonNullable<typeof getFlowStatistics.output.T>['hours'][number]

interface BarsProps {
  readonly hours: readonly Hour[]
}

/** Who came in beside who went out, by the hour of the day. */
export function HourBars({ hours }: BarsProps) {
  const most = Math.max(1, ...hours.flatMap(({ inCount, outCount }) => [inCount, outCount]))
  return (
    <section>
      <h3>
        各时段进出{' '}
        <small className="flow-legend">
          <i aria-hidden /> 入场 <i className="out" aria-hidden /> 出场；该期间合计
        </small>
      </h3>
      <ol className="flow-columns numbered">
        {hours.map(({ hour, inCount, outCount }) => {
          const text = `${hour} 时：入场 ${inCount}，出场 ${outCount}`
          return (
            <li key={hour} title={text}>
              <div role="img" aria-label={text}>
                <i
                  style={cssVariables({ '--part': inCount / most })}
                  data-count={inCount || undefined}
                  aria-hidden
                />
                <i
                  className="out"
                  style={cssVariables({ '--part': outCount / most })}
                  data-count={outCount || undefined}
                  aria-hidden
                />
              </div>
              <span aria-hidden>{hour}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** How many cars were inside at the end of each hour, on the average of the days. */
export function InsideBars({ hours }: BarsProps) {
  const most = Math.max(1, ...hours.map(({ inside }) => Number(inside)))
  return (
    <section>
      <h3>
        各时段平均在场 <small>每小时末的在场车辆，各日平均</small>
      </h3>
      <ol className="flow-columns numbered">
        {hours.map(({ hour, inside }) => {
          const text = `${hour} 时：平均在场 ${inside} 辆`
          return (
            <li key={hour} title={text}>
              <div role="img" aria-label={text}>
                <i
                  style={cssVariables({ '--part': Number(inside) / most })}
                  data-count={Number(inside) > 0 ? inside : undefined}
                  aria-hidden
                />
              </div>
              <span aria-hidden>{hour}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
