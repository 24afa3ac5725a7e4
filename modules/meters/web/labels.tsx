import { labelOf } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import type { Permission } from '#kit/contract/call.ts'
import { Link } from 'react-router'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { anomaly, usageUnits } from '../contract/choices.ts'
import { meterReading, type MeterReading } from '../contract/meter.ts'
import { paths } from './paths.ts'

export const formatUsage = (r: Pick<MeterReading, 'usage' | 'meterKind'>): string =>
  r.usage === undefined
    ? '--'
    : `${formatValue(r.usage, meterReading.fields.usage)} ${usageUnits[r.meterKind]}`

/** The anomalies of a reading; grey once confirmed. */
export const AnomalyFlags = ({ of: row }: { readonly of: Pick<MeterReading, 'anomalies' | 'confirmed'> }) =>
  row.anomalies?.length ? (
    <>
      {row.anomalies.map(a => (
        <Status key={a} tone={row.confirmed ? 'off' : 'todo'} plain>
          {labelOf(anomaly, a)}
        </Status>
      ))}
    </>
  ) : (
    '--'
  )

/** The bills' own list: their module reads meters, so that nothing of it can be read here. */
const billList = {
  path: `${paths.bills}?view=any&anyState=1&keyword=`,
  needs: {
    key: 'bills.bill.view',
    module: 'bills',
    menu: 'bill',
    flag: 'view',
    label: '账单',
  } satisfies Permission,
}

/** The bill that a reading is on, for somebody who may see bills (MTR-9). */
export function BillLink({ no }: { readonly no: string | undefined }) {
  const hasPermission = usePermission()
  return no === undefined ? (
    '--'
  ) : hasPermission(billList.needs) ? (
    <Link to={billList.path + encodeURIComponent(no)}>{no}</Link>
  ) : (
    no
  )
}

/** What each time of day showed (MTR-15); without a price of its own it goes by the standard's. */
export const RegisterList = ({ of }: { readonly of: NonNullable<MeterReading['registers']> }) => (
  <div className="meter-note meter-times">
    <table aria-label="分时读数">
      <thead>
        <tr>
          <th>时段</th>
          <th>上期</th>
          <th>本期</th>
          <th>单价</th>
        </tr>
      </thead>
      <tbody>
        {of.map(register => (
          <tr key={register.name}>
            <td>{register.name}</td>
            <td>{register.last}</td>
            <td>{register.current}</td>
            <td>{Number(register.price) > 0 ? register.price : '标准价'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
