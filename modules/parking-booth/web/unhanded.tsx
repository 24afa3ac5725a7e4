import { Link } from 'react-router'
import { displayYuan } from '#kit/domain/money.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { listUnhanded } from '../contract/booth-money.ts'
import { paths } from './paths.ts'
import './parking-booth.css'

type Unhanded = NonNullable<typeof listUnhanded.output.T>[number]

const chargesOf = ({ parkId, since }: Unhanded): string =>
  listLink(paths.charges, listCharges, { parkId: [String(parkId)], payTimeFrom: since })

/** 未交班: money that is on no sheet yet, of whom and where. One line, kept from the first: the list stays. */
export function UnhandedCharges() {
  const project = useProject()
  const unhanded = useCall(listUnhanded, project ? { projectCode: project } : {}, { quiet: true }).data
  if (!unhanded?.length)
    return <p className="booth-unhanded">{unhanded ? '无未交班收费' : '未交班收费 --'}</p>
  return (
    <ul className="booth-unhanded" aria-label="未交班收费">
      {unhanded.map(row => (
        <li
          key={`${row.parkId}/${row.cashier}`}
          title="不在当班时收取；收费员在该停车场开始当班后，列入其下一张交班单"
        >
          <em>未交班</em>
          <b>{row.cashierName}</b>
          <span>{row.parkName}</span>
          <Link to={chargesOf(row)}>
            {formatCount(row.count)} 笔，现金 {displayYuan(row.cashAmount)}
            {row.onlineAmount > 0 && `，非现金 ${displayYuan(row.onlineAmount)}`}
          </Link>
          <small>自 {row.since.slice(5, 16)}</small>
        </li>
      ))}
    </ul>
  )
}
