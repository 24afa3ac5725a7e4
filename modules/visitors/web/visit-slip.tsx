import { PrintOut } from '#kit/web/print-out.tsx'
import type { VisitRecord } from '../contract/visit-record.ts'

const rollWidthMm = 80

/** 访客单: what a visitor carries, on a roll of 80 mm. */
export function VisitSlip({ record, onDone }: { readonly record: VisitRecord; readonly onDone: () => void }) {
  const { visitorName, personCount, plateNo, roomPath, hostName, inTime, endTime, inLocationName } = record
  const lines = [
    ['访客', visitorName],
    ['人数', `${personCount} 人`],
    ['车牌', plateNo],
    ['拜访', [roomPath, hostName].filter(Boolean).join(' ')],
    ['进入', inTime.slice(0, 16)],
    ['应离', endTime?.slice(0, 16)],
    ['门岗', inLocationName],
  ] as const
  return (
    <PrintOut width={rollWidthMm} height={undefined} onDone={onDone}>
      <div className="visit-slip">
        <h1>访客单</h1>
        <p>{record.estateName}</p>
        <dl>
          {lines.flatMap(([label, value]) =>
            value ? [<dt key={label}>{label}</dt>, <dd key={`${label}-value`}>{value}</dd>] : [],
          )}
        </dl>
        <p>离开时请交回门岗</p>
      </div>
    </PrintOut>
  )
}
