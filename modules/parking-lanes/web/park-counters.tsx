import { useState } from 'react'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { correctCounter, listParkCounters } from '../contract/counter.ts'
import { menu } from '../module.ts'
import './parking-lanes.css'

type Counter = NonNullable<typeof listParkCounters.output.T>[number]

const CorrectDialog = actionDialog({
  call: correctCounter,
  title: (counter: Counter) => `校正「${counter.parkName}」的在场数`,
  submitLabel: '校正',
  keys: [
    { key: 'inside', help: '现场清点的车辆数' },
    { key: 'reason', wide: true },
  ],
  target: counter => ({ parkId: counter.parkId }),
  initial: counter => ({ inside: counter.inside }),
  doneText: counter => `已校正「${counter.parkName}」的在场数`,
})

const lastCorrection = ({ corrections }: Counter): string | undefined =>
  corrections[0] &&
  `${corrections[0].time.slice(5, 16)} ${corrections[0].operatorName}校正：${corrections[0].reason}`

/** How full each car park is, and the correction by hand (PRK-9). One line, kept from the first. */
export function ParkCounters() {
  const project = useProject()
  const counters = useCall(listParkCounters, project ? { projectCode: project } : {}, { quiet: true }).data
  const [corrected, setCorrected] = useState<Counter>()
  const canCorrect = usePermission()(menu.stay.permissions.count)
  if (!counters?.length) return <p className="park-counters">{counters ? '暂无停车场' : '在场 --'}</p>
  return (
    <>
      <ul className="park-counters">
        {counters.map(counter => (
          <li key={counter.parkId} title={lastCorrection(counter)}>
            <b>{counter.parkName}</b>
            <span>
              在场 {formatCount(counter.inside)}
              {counter.total > 0 && ` / ${formatCount(counter.total)}，余位 ${formatCount(counter.free)}`}
            </span>
            {counter.isFull && <em>{counter.free > 0 ? '临停已满' : '已满'}</em>}
            {counter.longStays > 0 && <span>超过 72 小时 {formatCount(counter.longStays)}</span>}
            {canCorrect && (
              <button type="button" className="linkish" onClick={() => setCorrected(counter)}>
                校正
              </button>
            )}
          </li>
        ))}
      </ul>
      {corrected && <CorrectDialog record={corrected} onClose={() => setCorrected(undefined)} />}
    </>
  )
}
